#if Postgres
import ContextCore
import SQLStore

/// A fetch that locks the rows it returns.
///
/// It fails for a row that another transaction has changed since this one took its snapshot.
struct LockedFetch {
    let reader: SessionReader
    let plan: FetchPlan
    let transaction: WriteTransaction

    /// Fetches and locks the rows.
    ///
    /// - Throws: `StoreError.Code.contention` if other transactions have changed some of the rows, and `StoreError.Code.busy` if the
    ///   wait for locked rows exceeds the limit.
    func rows() throws(StoreError) -> RowBatch {
        switch plan.lockWait {
        case .untilTimeout, .skipLocked: return try rows(plan, .default)
        case .noWait: return try rows(plan, .none)
        case .wait(let limit):
            let deadline = ContinuousClock.now.advanced(by: min(max(limit, .zero), Self.maximumTimeout))
            do throws(StoreError) {
                return try rows(plan, .until(deadline))
            } catch {
                // The server reports the deadline and a cancelled task in the same way.
                guard error.code == .cancelled, ContinuousClock.now >= deadline, !Task.isCancelled else {
                    throw error
                }
            }
            // The statement may have waited for a lock, or just been slow. Without a limit, NOWAIT fails only because of a lock.
            var withoutWait = plan
            withoutWait.lockWait = .noWait
            return try rows(withoutWait, .none)
        }
    }

    /// The largest time limit that the server supports.
    private static let maximumTimeout = Duration.milliseconds(Int64(Int32.max))

    private func rows(_ plan: FetchPlan, _ limit: LockLimit) throws(StoreError) -> RowBatch {
        try transaction.locking(limit) { () throws(StoreError) in try reader.fetch(plan) }
    }
}
#endif

#if Postgres
import ContextCore
import SQLStore

/// A fetch that locks what it answers.
///
/// It can't lock a row that another transaction has changed since this one took its snapshot.
struct LockedFetch {
    let reader: SessionReader
    let plan: FetchPlan
    let transaction: WriteTransaction

    /// - Throws: `StoreError.Code.contention` where others have changed some of the rows, and `StoreError.Code.busy` where they have
    ///   locked rows for longer than is waited.
    func rows() throws(StoreError) -> RowBatch {
        switch plan.lockWait {
        case .patiently, .skipLocked: return try rows(plan, .usual)
        case .noWait: return try rows(plan, .none)
        case .wait(let limit):
            let deadline = ContinuousClock.now.advanced(by: min(max(limit, .zero), Self.longest))
            do throws(StoreError) {
                return try rows(plan, .until(deadline))
            } catch {
                // The server ends a statement in the same way when the time is over and when the task was cancelled.
                guard error.code == .cancelled, ContinuousClock.now >= deadline, !Task.isCancelled else {
                    throw error
                }
            }
            // Whether it waited or worked, nobody knows. If nothing is locked, it only took its time, and may.
            var atOnce = plan
            atOnce.lockWait = .noWait
            return try rows(atOnce, .none)
        }
    }

    /// What the server can count.
    private static let longest = Duration.milliseconds(Int64(Int32.max))

    private func rows(_ plan: FetchPlan, _ limit: LockLimit) throws(StoreError) -> RowBatch {
        try transaction.locking(limit) { () throws(StoreError) in try reader.fetch(plan) }
    }
}
#endif

#if Postgres
import ContextCore
import SQLStore

/// A fetch that locks what it answers.
///
/// A server that has waited for a row asks the predicate again of the row as it is then, and of the rows that relationships lead to
/// as they were when the statement began. So where those have a say, another statement, which sees them as they are, is asked about what
/// was locked; and where it finds that something is not meant any more, the fetch is begun anew. What was locked stays locked.
struct LockedFetch {
    /// How often a fetch is begun that others get in the way of.
    private static let attempts = 5

    let reader: SessionReader
    let plan: FetchPlan
    let transaction: WriteTransaction

    /// - Throws: `StoreError.Code.contention` where others keep changing what the rows are chosen by, and `StoreError.Code.busy` where
    ///   they have locked rows for longer than is waited.
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
        try transaction.locking(limit) { () throws(StoreError) in try rows(of: plan, limit) }
    }

    private func rows(of plan: FetchPlan, _ limit: LockLimit) throws(StoreError) -> RowBatch {
        // A serializable transaction has one moment, and a row that has been changed since is an error of its own.
        let looksAgain =
            reader.store.configuration.isolation == .readCommitted && plan.asksOthers(in: reader.store.model)
        for attempt in 0..<Self.attempts {
            if attempt > 0 { try transaction.keep(limit) }
            let batch = try reader.fetch(plan)
            if !looksAgain || batch.count == 0 { return batch }
            let keys = (0..<batch.count).map { batch.key(at: $0) }
            if case .until = limit { try transaction.keep(limit) }
            if try reader.fetch(plan.rechecking(keys)).count == keys.count { return batch }
        }
        throw StoreError(
            .contention, "Others keep changing what the rows to be locked are chosen by.",
            remedy: "Do the same again: a block that may run twice can be given retries.")
    }
}
#endif

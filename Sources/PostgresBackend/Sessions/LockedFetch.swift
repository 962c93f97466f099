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

    /// - Throws: `StoreError.Code.contention` where others keep changing what the rows are chosen by.
    func rows() throws(StoreError) -> RowBatch {
        // A serializable transaction has one moment, and a row that has been changed since is an error of its own.
        let looksAgain =
            reader.store.configuration.isolation == .readCommitted && plan.asksOthers(in: reader.store.model)
        for _ in 0..<Self.attempts {
            let batch = try reader.fetch(plan)
            if !looksAgain || batch.count == 0 { return batch }
            let keys = (0..<batch.count).map { batch.key(at: $0) }
            if try reader.fetch(plan.rechecking(keys)).count == keys.count { return batch }
        }
        throw StoreError(
            .contention, "Others keep changing what the rows to be locked are chosen by.",
            remedy: "Do the same again: a block that may run twice can be given retries.")
    }
}
#endif

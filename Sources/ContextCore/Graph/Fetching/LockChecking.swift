/// Decides whether a fetch can lock rows.
struct LockChecking {
    let graph: ObjectGraph

    /// - Throws: ``StoreError/Code/unsupportedRequest`` outside of a write's own context, and where changes are pending that the answer
    ///   would have to be made up from.
    func check(_ plan: FetchPlan) throws(StoreError) {
        guard graph.parent.isTransaction else {
            throw StoreError(
                .unsupportedRequest, "Only a write can lock rows, and only in its own context.",
                remedy: "Fetch with the lock in the block of store.write, and do there what needs it.")
        }
        guard PendingFetch(graph: graph).isStored(plan) else {
            throw StoreError(
                .unsupportedRequest,
                "Rows are locked as the store has them, and the context has changed such rows.",
                remedy: "Save the context before the fetch that locks.")
        }
    }
}

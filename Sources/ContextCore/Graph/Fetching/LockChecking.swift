/// Checks whether a fetch can lock rows.
struct LockChecking {
    let graph: ObjectGraph

    /// Checks a fetch with a lock.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` outside of the context of a write, and if pending changes may affect the result.
    func check(_ plan: FetchPlan) throws(StoreError) {
        guard graph.parent.isTransaction else {
            throw StoreError(
                .unsupportedRequest, "Only the context of a write block can lock rows.",
                remedy: "Fetch with the lock in the block of store.write, and use the objects there.")
        }
        guard PendingFetch(graph: graph).isStored(plan) else {
            throw StoreError(
                .unsupportedRequest,
                "A fetch can't lock rows while unsaved changes of the context may affect its result.",
                remedy: "Save the context, then fetch with the lock.")
        }
    }
}

/// Answers requests with what the store has and what the context has changed, together.
struct PendingFetch {
    let graph: ObjectGraph

    func objects(_ plan: FetchPlan, prefetching paths: [PropertyPath] = []) throws -> [ManagedObject] {
        let batch = try graph.parent.fetch(plan)
        let group = RowGroup(batch)
        return (0..<Int32(batch.count)).map { graph.object(group, $0) }
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try graph.parent.aggregate(plan)
    }
}

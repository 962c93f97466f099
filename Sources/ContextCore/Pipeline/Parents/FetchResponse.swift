/// The response of the shared context to a proxy's fetch request: the rows, and the prefetched rows.
struct FetchResponse: Sendable {
    let rows: RowBatch
    let prefetched: RecordedPrefetch
    /// The token of the last change that the shared context had published before the fetch; the rows include that change.
    let publishedToken: StoreToken?
}

extension ObjectContext {
    /// Runs a fetch request of a proxy on one snapshot of the store.
    func fetchRows<Object: ManagedObject>(_ request: FetchRequest<Object>, publishedToken: StoreToken?) throws
        -> FetchResponse
    {
        let (entity, plan) = try plan(request)
        let parent = ParentContextAdapter(self)
        return try parent.withSnapshot {
            if request.refreshesObjects {
                try Refreshing(graph: graph).refresh(from: RowGroup(try graph.parent.fetch(plan)))
            }
            let rows = try parent.fetch(plan, includesPendingChanges: request.includesPendingChanges)
            let source = RecordingSource(parent)
            try Prefetching(graph: graph, source: source)
                .prefetch(
                    request.prefetching, from: RowGroup(rows), includesAllRows: plan.includesAllRows,
                    entity: entity)
            return FetchResponse(rows: rows, prefetched: source.recorded, publishedToken: publishedToken)
        }
    }
}

/// What a proxy's request comes to in the shared context: its rows, and what was fetched along with them.
struct FetchAnswer: Sendable {
    let rows: RowBatch
    let prefetched: PrefetchedAnswers
    /// What the shared context had told of its changes by then, all of which the rows show.
    let told: StoreToken?
}

extension ObjectContext {
    /// Answers a request of a proxy, in one moment of the store.
    func answer<Object: ManagedObject>(_ request: FetchRequest<Object>, told: StoreToken?) throws
        -> FetchAnswer
    {
        let (entity, plan) = try plan(request)
        let parent = ContextAsParent(self)
        return try parent.inOneMoment {
            if request.refreshesObjects {
                try Refreshing(graph: graph).refresh(from: RowGroup(try graph.parent.fetch(plan)))
            }
            let rows = try parent.fetch(plan, includesPendingChanges: request.includesPendingChanges)
            let source = RecordingSource(parent)
            try Prefetching(graph: graph, source: source)
                .prefetch(
                    request.prefetching, from: RowGroup(rows), isOfAll: plan.isOfAll, entity: entity)
            return FetchAnswer(rows: rows, prefetched: source.recorded, told: told)
        }
    }

    /// Takes in what a request was answered with.
    func adopt<Object: ManagedObject>(_ answer: FetchAnswer, _ request: FetchRequest<Object>) throws
        -> [Object]
    {
        try graph.throwDeferredError()
        let (entity, _) = try plan(request)
        let group = try Adoption(graph: graph).adopt(answer, request.prefetching, entity: entity)
        return graph.typed(graph.objects(group), of: entity, as: Object.self).filter(\.isKept)
    }
}

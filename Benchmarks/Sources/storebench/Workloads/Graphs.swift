import CBaseline
import ContextCore

extension Workload {
    /// Creates 1,000 games with 100 players each in one save.
    static let graphCreate = Workload(
        name: "graph-create", bars: [.sqlite: .ratio(2), .postgres: .ratio(1.5)]
    ) { environment in
        let graph = GameGraph(games: environment.scaled(1000))
        return try await environment.sides(
            before: { try await $0.clear() },
            work: { store, _ in
                try await store.create(graph)
                return Int64(graph.playerCount)
            },
            baselineBefore: { try $0.call(baseline_clear) }, writesMany: true,
            baseline: { try $0.call { baseline_graph_create($0, graph.forC) } })
    }

    /// Fetches 1,000 games with their 100,000 players prefetched, and reads each.
    static let graphPrefetch = graphPrefetch(
        "graph-prefetch", isInTurns: false, [.sqlite: .ratio(1.8), .postgres: .ratio(1.7)])

    /// Does the same with scattered players: those of one game aren't stored next to each other, as in a store that grew over time.
    static let graphPrefetchInTurns = graphPrefetch("graph-prefetch-in-turns", isInTurns: true, [:])

    private static func graphPrefetch(
        _ name: String, isInTurns: Bool, _ bars: [BackendName: Bar]
    ) -> Workload {
        Workload(name: name, bars: bars) { environment in
            let graph = GameGraph(games: environment.scaled(1000), isInTurns: isInTurns)
            let filled = Once()
            return try await environment.sides(
                before: { store in
                    if filled.first("\(ObjectIdentifier(store))") { try await store.create(graph) }
                },
                work: { store, _ in
                    try await store.read("prefetch") { try $0.graphChecksum() }
                },
                baselineBefore: { if filled.first("C") { try $0.fill(with: graph) } },
                baseline: { try $0.call(baseline_graph_fetch) })
        }
    }

    /// Deletes 500 games and, by a cascade, their 50,000 players.
    static let cascade = Workload(name: "cascade", bars: [.sqlite: .ratio(1.25)]) { environment in
        let graph = GameGraph(games: environment.scaled(1000))
        let doomed = graph.games / 2
        return try await environment.sides(
            before: { store in
                try await store.clear()
                try await store.create(graph)
            },
            work: { store, watch in
                try await store.write("cascade") { context in
                    let games = try context.fetch(Game.self, limit: doomed)
                    watch.start()
                    for game in games { context.delete(game) }
                    return Int64(games.count)
                }
            },
            baselineBefore: { try $0.fill(with: graph) },
            baseline: { try $0.call { baseline_cascade($0, Int64(doomed)) } })
    }
}

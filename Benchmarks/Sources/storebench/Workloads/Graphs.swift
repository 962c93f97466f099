import CBaseline
import ContextCore

extension Workload {
    /// Creates 1,000 games with 100 players each in one save.
    static let graphCreate = Workload(
        name: "graph-create", bars: [.sqlite: .ratio(2), .postgres: .ratio(1.5)]
    ) { stage in
        let (games, players) = (stage.scaled(1000), 100)
        return try await stage.sides(
            before: { try await $0.clear() },
            work: { store, _ in
                try await store.createGraph(games: games, players: players)
                return Int64(games * players)
            },
            baselineBefore: { try $0.call(baseline_clear) }, writesMany: true,
            baseline: { try $0.call { baseline_graph_create($0, Int64(games), Int64(players)) } })
    }

    /// Fetches 1,000 games with their 100,000 players prefetched, and touches each.
    static let graphPrefetch = Workload(
        name: "graph-prefetch", bars: [.sqlite: .ratio(1.8), .postgres: .ratio(1.4)]
    ) { stage in
        let (games, players) = (stage.scaled(1000), 100)
        let filled = Once()
        return try await stage.sides(
            before: { store in
                if filled.first("\(ObjectIdentifier(store))") {
                    try await store.createGraph(games: games, players: players)
                }
            },
            work: { store, _ in
                try await store.read("prefetch") { try $0.graphChecksum() }
            },
            baselineBefore: { if filled.first("C") { try $0.fillGraph(games: games, players: players) } },
            baseline: { try $0.call(baseline_graph_fetch) })
    }

    /// Deletes 500 of the games; 50,000 players go with them.
    static let cascade = Workload(name: "cascade", bars: [.sqlite: .ratio(0.8)]) { stage in
        let (games, players) = (stage.scaled(1000), 100)
        let doomed = games / 2
        return try await stage.sides(
            before: { store in
                try await store.clear()
                try await store.createGraph(games: games, players: players)
            },
            work: { store, watch in
                try await store.write("cascade") { context in
                    let games = try context.fetch(Game.self, limit: doomed)
                    watch.start()
                    for game in games { context.delete(game) }
                    return Int64(games.count)
                }
            },
            baselineBefore: { try $0.fillGraph(games: games, players: players) },
            baseline: { try $0.call { baseline_cascade($0, Int64(doomed)) } })
    }
}

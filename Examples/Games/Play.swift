import ContextCore

/// Plays on a store from several tasks at once.
struct Play {
    let store: Store

    struct WrongScores: Error {
        let expected: Int
        let found: Int
    }

    /// Makes games with players, in one save; games of an earlier run on the same store go.
    func setUp(tables: Int, playersAtEach count: Int) async throws {
        try await store.write("set up") { context in
            for old in try context.fetch(Game.self) { context.delete(old) }
        }
        try await store.write("set up") { context in
            for table in 1...tables {
                let game = Game(in: context, title: "Table \(table)")
                for seat in 1...count {
                    _ = Player(in: context, name: "Player \(table).\(seat)", game: game)
                }
            }
        }
    }

    /// Plays rounds at all tables at once; in each round one player wins a point.
    ///
    /// Answers how many were played.
    func playAtOnce(rounds: Int) async throws -> Int {
        let tables = try await store.read("tables") {
            try $0.fetch(Game.self, order: .ascending(\.title)).map(\.objectID)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for table in tables {
                group.addTask {
                    for round in 0..<rounds { try await play(round, at: table) }
                }
            }
            try await group.waitForAll()
        }
        return rounds * tables.count
    }

    private func play(_ round: Int, at table: ObjectID) async throws {
        try await store.write("round \(round)") { context in
            let game = try context.object(with: table, as: Game.self)
            let players = game.players.sorted { $0.name < $1.name }
            players[(round * round) % players.count].score += 1
        }
    }

    /// The players with most points, a line each.
    func leaders(_ count: Int) async throws -> [String] {
        try await store.read("leaders") { context in
            try context.fetch(
                Player.self, where: \.score > 0, order: .descending(\.score), .ascending(\.name), limit: count
            ).map { "  \($0.name) has \($0.score) points at \($0.game?.title ?? "no table")" }
        }
    }

    /// Checks that each round was saved, once.
    func checkScores(rounds: Int) async throws {
        let found = try await store.read("scores") { try $0.fetch(Player.self).reduce(0) { $0 + $1.score } }
        if found != rounds { throw WrongScores(expected: rounds, found: found) }
    }
}

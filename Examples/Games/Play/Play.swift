import ContextCore
import Foundation

/// An endless series of reads, writes and deletions, each of which can be checked.
///
/// In every snapshot of the store, the points of a game are the sum of its players' scores, and the season counts every acknowledged round.
struct Play: Sendable {
    static let gameCount = 40
    private static let maximumPlayers = 12
    /// The maximum number of times that a block runs again after conflicts with other writers.
    private static let retries = 200

    let store: Store
    let counters: Counters

    /// Deletes the games of an earlier run and creates new ones in one save.
    func setUp() async throws {
        try await store.write("clear") { context in
            for old in try context.fetch(Game.self) { context.delete(old) }
            for old in try context.fetch(Season.self) { context.delete(old) }
        }
        try await store.write("set up") { context in
            _ = Season(in: context)
            for number in 0..<Self.gameCount {
                let game = Game(in: context, title: Self.title(number))
                for seat in 1...5 { _ = Player(in: context, name: Self.name(number, seat), game: game) }
            }
        }
    }

    private static func title(_ number: Int) -> String { "Table \(number < 9 ? "0" : "")\(number + 1)" }

    private static func name(_ game: Int, _ seat: Int) -> String {
        let names = ["Ann", "Bob", "Cid", "Dora", "Eve", "Flo", "Gil", "Hal", "Ida", "Jo", "Kim", "Lou"]
        return "\(names[seat % names.count]) \(game + 1).\(seat)"
    }

    /// Plays one turn after the other until its task is cancelled.
    func playUntilCancelled() async {
        while !Task.isCancelled {
            do {
                try await playTurn()
            } catch let error as StoreError where error.code == .cancelled {
                return
            } catch {
                counters.recordFailure(error)
            }
        }
    }

    private func playTurn() async throws {
        let game = Int.random(in: 0..<Self.gameCount)
        switch Int.random(in: 0..<100) {
        case 0..<50: try await readGame(game)
        case 50..<85: try await playRound(game)
        case 85..<92: try await addPlayer(game)
        case 92..<98: try await removePlayer(game)
        default: try await replaceGame(game)
        }
        counters.recordOperation()
    }

    // MARK: Turns

    private func readGame(_ number: Int) async throws {
        let isConsistent = try await store.read("look") { context in
            let game = try find(number, context)
            return game.players.reduce(0) { $0 + $1.score } == game.points
        }
        counters.recordRead(isConsistent: isConsistent)
    }

    /// Plays a round; the rounds of a process share a lane, because each changes the season and they would conflict.
    private func playRound(_ number: Int) async throws {
        try await store.write("round", lane: "season", retries: Self.retries) { context in
            let game = try find(number, context)
            game.players.randomElement()?.score += 1
            game.points += 1
            try context.fetch(Season.self).first?.rounds += 1
        }
        counters.recordRound()
    }

    private func addPlayer(_ number: Int) async throws {
        try await store.write("join", retries: Self.retries) { context in
            let game = try find(number, context)
            if game.players.count < Self.maximumPlayers {
                _ = Player(in: context, name: Self.name(number, .random(in: 6...99)), game: game)
            }
        }
        counters.recordSave()
    }

    private func removePlayer(_ number: Int) async throws {
        try await store.write("leave", retries: Self.retries) { context in
            let game = try find(number, context)
            guard game.players.count > 2, let player = game.players.randomElement() else { return }
            game.points -= player.score
            context.delete(player)
        }
        counters.recordSave()
    }

    /// Deletes a game with its players, and inserts one with the same title.
    private func replaceGame(_ number: Int) async throws {
        try await store.write("replace game", retries: Self.retries) { context in
            context.delete(try find(number, context))
            try context.save()
            let game = Game(in: context, title: Self.title(number))
            for seat in 1...5 { _ = Player(in: context, name: Self.name(number, seat), game: game) }
        }
        counters.recordSave()
    }

    private func find(_ number: Int, _ context: ObjectContext) throws -> Game {
        let title = Self.title(number)
        guard let game = try context.fetch(Game.self, where: \.title == title).first else {
            throw StoreError(.objectNotFound, "There is no game with the title \(title).")
        }
        return game
    }

    // MARK: Pruning and checking

    /// Prunes the history, so that an endless play doesn't fill the store.
    func pruneHistory() async throws {
        try await store.pruneHistory(keeping: HistoryRetention(transactions: 1000))
    }

    /// Messages about errors and inconsistent reads during play.
    var ownComplaints: [String] {
        let counts = counters.counts
        var complaints: [String] = []
        if counts.failures > 0 { complaints.append("\(counts.failures) failed: \(counts.lastFailure)") }
        if counts.inconsistentReads > 0 {
            complaints.append("\(counts.inconsistentReads) reads saw half of a write")
        }
        return complaints
    }

    /// Checks the store after play has ended, and returns a message for each problem.
    ///
    /// - Parameter guestRounds: The number of rounds that other processes have played.
    func complaints(guestRounds: Int = 0) async -> [String] {
        var complaints = ownComplaints
        do {
            let (rounds, wrongGames) = try await audit()
            let acknowledged = counters.counts.rounds + guestRounds
            if wrongGames > 0 { complaints.append("\(wrongGames) games don't add up") }
            if rounds != acknowledged {
                complaints.append("\(acknowledged) rounds were acknowledged, and \(rounds) are in the store")
            }
        } catch {
            complaints.append("the audit failed: \(error)")
        }
        return complaints
    }

    /// Returns the season's rounds in the store, and the number of games whose points differ from the sum of their players' scores.
    private func audit() async throws -> (rounds: Int, wrongGames: Int) {
        try await store.read("audit") { context in
            let games = try context.fetch(FetchRequest<Game>(prefetching: ["players"]))
            let wrong = games.count { game in game.players.reduce(0) { $0 + $1.score } != game.points }
            let isConsistent = games.count == Self.gameCount
            return (try context.fetch(Season.self).first?.rounds ?? -1, wrong + (isConsistent ? 0 : 1))
        }
    }
}

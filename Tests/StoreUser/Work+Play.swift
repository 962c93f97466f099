import ContextCore
import Foundation

/// Concurrent work of several processes on one store.
extension Work {
    /// The number of tasks, each of which saves in another way.
    private static let players = 3

    /// Plays rounds for the given number of seconds, and prints the number of saves; then compares the results of a controller with those
    /// of a fetch.
    func play() async throws {
        let store = try await open()
        let board = try await Board(store)
        say("open")
        guard readLine() != nil else { return }
        let rounds = try await playRounds(until: .now + .seconds(count), store)
        say("rounds \(rounds)")
        // The results can be compared only after all processes have finished.
        guard readLine() != nil else { return }
        say(try await board.settles() ? "equal" : "different: \(try await board.difference())")
        await store.close()
    }

    private func playRounds(until end: ContinuousClock.Instant, _ store: Store) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for player in 0..<Self.players {
                group.addTask {
                    let editor = player == 0 ? store.makeBackgroundContext() : nil
                    var rounds = 0
                    while ContinuousClock.now < end {
                        rounds += try await win(Int.random(in: 0..<1000), editor, store)
                    }
                    return rounds
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Adds a point to a player; returns the number of saved points.
    private func win(_ number: Int, _ editor: ContextActor?, _ store: Store) async throws -> Int {
        guard let editor else {
            try await store.write("round") { context in try score(number, context) }
            return 1
        }
        return try await editor.perform { context in
            try score(number, context)
            do {
                try context.save()
                return 1
            } catch StoreError.Code.conflict {
                // Other processes were faster: the round was not played.
                try context.refreshAll(mergeChanges: false)
                return 0
            }
        }
    }

    private func score(_ number: Int, _ context: ObjectContext) throws {
        let players = try context.fetch(Player.self, order: .ascending(\.name))
        players[number % players.count].score += 1
    }

    /// Removes jobs until there is none, and prints the number of each.
    func takeJobs() async throws {
        let store = try await open()
        say("open")
        guard readLine() != nil else { return }
        while true {
            let number = try await store.write("take") { context -> Int? in
                let job = try context.fetch(
                    Job.self, where: \.taker == nil, order: .ascending(\.number), limit: 1, lock: .update,
                    wait: .skipLocked
                ).first
                job?.taker = name
                return job?.number
            }
            guard let number else { break }
            say("\(number)")
        }
        await store.close()
    }
}

/// The players by their points, in a results controller.
@MainActor final class Board {
    private let store: Store
    private let controller: FetchedResultsController<Player>

    init(_ store: Store) throws {
        self.store = store
        let context = store.viewContext
        context.automaticallyMergesChanges = true
        controller = try FetchedResultsController(
            Player.self, order: .descending(\.score), .ascending(\.name), in: context)
    }

    /// Waits until the controller has the results of a fetch; returns false after a timeout.
    func settles() async throws -> Bool {
        for _ in 0..<1200 {
            if try await followed == fetched() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    func difference() async throws -> String { "\(followed) and \(try await fetched())" }

    private var followed: [String] { controller.objects.map { "\($0.name) \($0.score)" } }

    private func fetched() async throws -> [String] {
        try await store.read("board") { context in
            try context.fetch(Player.self, order: .descending(\.score), .ascending(\.name))
                .map { "\($0.name) \($0.score)" }
        }
    }
}

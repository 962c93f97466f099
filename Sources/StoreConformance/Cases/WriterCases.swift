import ContextCore
import Foundation

extension Topic {
    /// Concurrent writers in one process and in several.
    static let writers: Topic = Topic("writers") {
        Requirement(
            "A second writer waits until the first has ended, and sees its changes, without concurrent writes"
        ) { run in
            let harness = try run.boxesAndItems()
            if harness.coordinator.capabilities.contains(.concurrentWrites) { return }
            for ending in Ending.allCases {
                let first = try harness.coordinator.openWriteSession(SessionOptions(identifier: "first"))
                defer { first.end() }
                let second = SecondWriter(harness.coordinator, lane: nil)
                defer { second.finish() }
                try expect(!second.isOpen(within: 0.2), "The second writer waits")
                let token = try ending.end(first)
                try expect(second.isOpen(within: 30), "The second writer starts after \(ending)")
                if let token {
                    try expectEqual(second.token, token, "The token at the start of the second writer")
                }
            }
        }
        Requirement(
            "A second writer in another lane starts immediately with concurrent writes, and waits without"
        ) {
            run in
            let harness = try run.boxesAndItems()
            let isParallel = harness.coordinator.capabilities.contains(.concurrentWrites)
            let first = try harness.coordinator.openWriteSession(SessionOptions(identifier: "first"))
            defer { first.end() }
            let second = SecondWriter(harness.coordinator, lane: "other")
            defer { second.finish() }
            try expectEqual(second.isOpen(within: isParallel ? 30 : 0.2), isParallel, "Whether both are open")
            first.end()
            if !isParallel { try expect(second.isOpen(within: 30), "The second writer starts") }
        }
        Requirement("Readers can open and end sessions while a writer is open", requires: .concurrentReads) {
            run in
            let harness = try run.boxesAndItems()
            let items = FetchPlan(entityIndex: try harness.layout("Item").index)
            try harness.write { session in
                var changes = ChangeSet()
                changes.deletes = [try harness.deletion("Item", 1, base: 1)]
                try expectEqual(try session.apply(changes).conflicts, [], "The conflicts")
                try expectEqual(try harness.read { try $0.fetch(items).count }, 3, "The items of a reader")
            }
            try expectEqual(try harness.read { try $0.fetch(items).count }, 2, "The items afterwards")
        }
        Requirement(
            "Two processes with the same store save alternately, each on the other's state",
            requires: .sharedByProcesses
        ) { run in
            let harnesses = [try run.boxesAndItems(), try run.harness()]
            let ids = try harnesses.map { try $0.coordinator.metadata().storeID }
            try expectEqual(ids[0], ids[1], "The store's identity")
            let labels = FetchPlan(entityIndex: try harnesses[0].layout("Label").index)
            var tokens: [StoreToken] = []
            for number in 1...6 {
                let (writer, reader) = (harnesses[number % 2], harnesses[(number + 1) % 2])
                var changes = ChangeSet()
                changes.inserts = [
                    try writer.insertion("Label", [(Int64(number), ["name": .string("\(number)")])])
                ]
                tokens.append(try writer.save(changes))
                try expectEqual(
                    try reader.read { try $0.fetch(labels).count }, number,
                    "The labels that the other coordinator reads")
                try expectEqual(
                    try reader.read { $0.token }, tokens.last, "The token that the other coordinator reads")
            }
            try expect(
                zip(tokens, tokens.dropFirst()).allSatisfy { $0.sequence < $1.sequence }, "Tokens go up")
        }
        Requirement(
            "Two processes with the same store never reserve the same keys", requires: .sharedByProcesses
        ) {
            run in
            let harnesses = [try run.harness(), try run.harness()]
            let root = try harnesses[0].layout("Box").rootIndex
            var keys: [Range<Int64>] = []
            for count in [1, 1, 5, 100, 3, 1000, 2, 2] {
                for harness in harnesses {
                    keys.append(try harness.write { try $0.reserveKeys(count, rootIndex: root) }.result)
                }
            }
            let sorted = keys.sorted { $0.lowerBound < $1.lowerBound }
            try expect(
                zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound },
                "The keys are disjoint")
        }
        Requirement(
            "A row that one process has changed is stale for another process with the same store",
            requires: .sharedByProcesses
        ) { run in
            let harnesses = [try run.boxesAndItems(), try run.harness()]
            func change(_ harness: SessionHarness) throws -> ChangeSet {
                var changes = ChangeSet()
                changes.updates = [
                    try harness.update("Item", 1, base: 1, ["name": .string("new")], changing: ["name"])
                ]
                return changes
            }
            try harnesses[1].save(try change(harnesses[1]))
            let item = try harnesses[0].layout("Item").index
            try expectEqual(
                try harnesses[0].conflicts(of: try change(harnesses[0])),
                [RowConflict(entityIndex: item, key: 1, reason: .changed(storedVersion: 2))],
                "The conflicts")
        }
        Requirement(
            "A context's save conflicts with a save of another process with the same store",
            requires: .sharedByProcesses
        ) {
            run in
            let (mine, theirs) = (try await run.games(), try await run.open())
            let editor = mine.makeBackgroundContext()
            try await editor.perform { try $0.only(Player.self, "name = 'Ann'").score = 1 }
            try await theirs.write("theirs") { try $0.only(Player.self, "name = 'Ann'").score = 2 }
            try await editor.perform { context in
                let conflicts = try expectError(.conflict) { try context.save() }.conflicts
                try expectEqual(conflicts.first?.properties.map(\.theirs), [.int(2)], "Theirs")
                context.mergePolicy = .objectWins
                try context.save()
            }
            try await theirs.expectNames([("score = 1", ["Ann"])])
        }
        Requirement("Tasks on the store's task executor read and write like others") { run in
            let games = try await run.games()
            try await withTaskExecutorPreference(games.taskExecutor) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            try await games.write("add") { context in
                                _ = Player(in: context, name: "Task \(number)", score: 900)
                                try context.only(Player.self, "name = 'Ann'").score += 1
                            }
                            try await games.read("look") { context in
                                let own = try context.only(Player.self, "name = 'Task \(number)'")
                                try expectEqual(own.score, 900, "The player that the task has saved")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await games.read("all") { context in
                    try expectEqual(try context.find(Player.self, "score = 900").count, 12, "The new players")
                    try expectEqual(
                        try context.only(Player.self, "name = 'Ann'").score, 24,
                        "The score that all tasks have increased")
                }
            }
        }
    }
}

/// The ways to end a write session.
private enum Ending: CaseIterable {
    case commit, rollback, end

    /// Ends a session, and returns its token if it was committed.
    func end(_ session: any WriteSession) throws -> StoreToken? {
        switch self {
        case .commit: return try session.commit()
        case .rollback: session.rollback()
        case .end: session.end()
        }
        return nil
    }
}

/// A writer on its own thread, since opening a session may block.
///
/// Threads share the token of the session's start, which a mutex guards.
private final class SecondWriter: Sendable {
    private let isOpen = Semaphore()
    private let mayEnd = Semaphore()
    private let startToken = Guarded<StoreToken?>(nil)

    /// The token at the start of the session, or nil before it is open.
    var token: StoreToken? { startToken.withLock { $0 } }

    init(_ coordinator: any StoreCoordinator, lane: String?) {
        Thread.detachNewThread { [self] in
            let options = SessionOptions(identifier: "second", lane: lane)
            guard let session = try? coordinator.openWriteSession(options) else { return }
            startToken.withLock { $0 = session.token }
            isOpen.signal()
            mayEnd.wait()
            session.end()
        }
    }

    func isOpen(within seconds: Double) -> Bool { isOpen.wait(timeout: seconds) }
    func finish() { mayEnd.signal() }
}

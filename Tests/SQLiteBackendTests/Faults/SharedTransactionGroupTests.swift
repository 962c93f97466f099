#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// A statement in a shared transaction ends early without affecting the work of other writes.
struct SharedTransactionGroupTests {
    private static let players = 4000

    private let store: TemporaryStore
    private let player: EntityLayout

    init() throws {
        store = try TemporaryStore()
        player = try #require(store.model.layout(named: "Player"))
        try store.save { changes, model in
            let rows = (1...Int64(Self.players)).map {
                ($0, ["name": StoredValue.string("Ann"), "score": .int($0), "game": .int(1)])
            }
            changes.inserts = [
                .init(
                    entityIndex: try model.index("Game"),
                    rows: try model.rows("Game", [(1, ["title": .string("Go")])])),
                .init(entityIndex: try model.index("Player"), rows: try model.rows("Player", rows)),
            ]
        }
    }

    /// Sets a timeout that is long enough for a quick statement, even on a busy machine, and too short for a slow one.
    private func limitStatements() throws { try store.reopen { $0.statementTimeout = .milliseconds(250) } }

    /// Returns a condition that compares every player with every player.
    private func slow() throws -> ResolvedPredicate {
        try FetchPredicate("game.players.@max.score > 0").resolved(for: player, in: store.model)
    }

    /// Runs a slow statement in a savepoint, after another write in the same transaction, and returns its error.
    private static func interrupt(
        _ coordinator: SQLiteCoordinator, _ body: (any WriteSession) throws -> Void
    ) throws -> StoreError? {
        let graphs = SavedGraphs(model: coordinator.model)
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "first"))
        defer { session.end() }
        _ = try session.apply(try graphs.changes(7))
        try session.beginSavepoint(SessionOptions(identifier: "second"))
        let error = #expect(throws: StoreError.self) {
            try body(session)
            try session.endSavepoint(keepingWork: true)
        }
        try session.endSavepoint(keepingWork: false)
        // The third write is as fast as ever.
        try session.beginSavepoint(SessionOptions(identifier: "third", isCancellable: false))
        _ = try session.apply(try graphs.changes(8))
        try session.endSavepoint(keepingWork: true)
        _ = try session.commit()
        return error
    }

    /// Expects the changes of the first and the third write, and none of the second.
    private func expectOthersWork() throws {
        let game = try store.model.index("Game")
        #expect(try store.read { try $0.fetch(FetchPlan(entityIndex: game)).count } == 3)
        let name = try FetchPredicate("name = \"Bob\"").resolved(for: player, in: store.model)
        let changed = FetchPlan(entityIndex: player.index, predicate: name)
        #expect(try store.read { try $0.fetch(changed).count } == 0)
    }

    @Test func `A fetch in a savepoint ends at its timeout`() throws {
        try limitStatements()
        let plan = FetchPlan(entityIndex: player.index, predicate: try slow())
        let error = try Self.interrupt(store.coordinator) { _ = try $0.fetch(plan) }
        #expect(error?.code == .timeout)
        try expectOthersWork()
    }

    @Test func `A change in a savepoint that exceeds its timeout fails without affecting others`() throws {
        try limitStatements()
        let name = try #require(player.columns.firstIndex { $0.name == "name" })
        let plan = BatchPlan(
            entityIndex: player.index, predicate: try slow(), operation: .update([name: .string("Bob")]))
        let error = try Self.interrupt(store.coordinator) { _ = try $0.perform(plan) }
        #expect(error?.code == .timeout)
        try expectOthersWork()
    }

    @Test func `A fetch in a savepoint ends when its task is cancelled`() async throws {
        let plan = FetchPlan(entityIndex: player.index, predicate: try slow())
        let coordinator = store.coordinator
        let task = Task {
            try Self.interrupt(coordinator) { session in
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try session.fetch(plan)
            }
        }
        #expect(try await task.value?.code == .cancelled)
        try expectOthersWork()
    }
}
#endif

#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Reports about the statements that a store runs, and about the saves of other processes.
struct ListeningTests {
    private static let secret = "a-secret-title"

    private func entries(_ log: (@escaping @Sendable (StatementLog.Entry) -> Void) -> StatementLog) throws
        -> [StatementLog.Entry]
    {
        let entries = Guarded<[StatementLog.Entry]>([])
        let log = log { entry in entries.withLock { $0.append(entry) } }
        let store = try TemporaryStore { $0.statementLog = log }
        let game = try store.model.index("Game")
        let rows = try store.model.rows(
            "Game", (1...5).map { ($0, ["title": .string(Self.secret + "\($0)")]) })
        try store.save { changes, _ in changes.inserts = [.init(entityIndex: game, rows: rows)] }
        try store.read { _ = try $0.fetch(FetchPlan(entityIndex: game)) }
        store.coordinator.close()
        return entries.withLock { $0 }
    }

    @Test func `A log receives each statement, without values`() throws {
        let entries = try entries { StatementLog(handler: $0) }
        #expect(entries.contains { $0.text == "BEGIN IMMEDIATE" })
        #expect(entries.contains { $0.text == "COMMIT" })
        #expect(entries.count { $0.text.hasPrefix("INSERT INTO \"game\"") } == 5)
        #expect(
            entries.contains { $0.text.hasPrefix("SELECT") && $0.text.contains("\"game\"") && $0.rows == 5 })
        #expect(!entries.contains { $0.text.contains(Self.secret) })
        #expect(entries.allSatisfy { $0.duration >= .zero })
    }

    @Test func `A log has the number of rows before an unreadable one`() throws {
        let entries = Guarded<[StatementLog.Entry]>([])
        let store = try TemporaryStore {
            $0.statementLog = StatementLog { entry in entries.withLock { $0.append(entry) } }
        }
        let game = try store.model.index("Game")
        let rows = try store.model.rows("Game", (1...5).map { ($0, ["title": .string("\($0)")]) })
        try store.save { changes, _ in changes.inserts = [.init(entityIndex: game, rows: rows)] }
        let foreign = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { foreign.close() }
        try foreign.execute("UPDATE game SET title = CAST(x'FF' AS TEXT) WHERE _id = 3")
        expectError(.corrupt) { try store.read { _ = try $0.fetch(FetchPlan(entityIndex: game)) } }
        store.coordinator.close()
        let counts = entries.withLock { entries in
            entries.filter { $0.text.contains("context_gather") }.map(\.rows)
        }
        #expect(counts == [3])
    }

    @Test func `Only a log that requests values receives them`() throws {
        let entries = try entries { StatementLog(includesValues: true, handler: $0) }
        #expect(entries.count { $0.text.contains(Self.secret) } == 5)
    }

    @Test func `Of two combined logs, only the one that requests values receives them`() throws {
        let plain = Guarded<[String]>([])
        let entries = try entries { handler in
            .combining([
                StatementLog { entry in plain.withLock { $0.append(entry.text) } },
                StatementLog(includesValues: true, handler: handler),
            ])
        }
        let texts = plain.withLock { $0 }
        #expect(texts.count == entries.count && !texts.contains { $0.contains(Self.secret) })
        #expect(entries.count { $0.text.contains(Self.secret) } == 5)
    }

    @Test func `A log of slow statements receives no quick ones`() throws {
        #expect(try entries { StatementLog(threshold: .seconds(600), handler: $0) }.isEmpty)
    }

    @Test func `A request is explained without being run`() throws {
        let store = try TemporaryStore()
        let game = try store.model.index("Game")
        try store.read { session in
            let session = try #require(session as? any ExplainingSession)
            let explanation = try session.explain(FetchPlan(entityIndex: game))
            #expect(explanation.statement.hasPrefix("SELECT"))
            #expect(explanation.steps.contains { $0.hasPrefix("SCAN") })
            #expect(explanation.description.contains(explanation.statement))
        }
    }

    private func open(_ path: String, watching interval: Duration?) throws -> Store {
        try Store(
            coordinator: SQLiteCoordinator(model: GamesModel.make(), SQLiteConfiguration(path: path)),
            options: StoreOptions(watchInterval: interval))
    }

    @Test func `Another process's saves are reported, once and in order`() async throws {
        let other = try TemporaryStore()
        let graphs = SavedGraphs(model: other.model)
        try graphs.save(1, to: other.coordinator)
        let store = try open(other.path, watching: .milliseconds(10))
        var changes = store.changes.makeAsyncIterator()
        for number in 2...5 { try graphs.save(number, to: other.coordinator) }
        var sequence: Int64 = 1
        for number in 2...5 {
            let change = await changes.next()
            sequence += 1
            #expect(change?.token.sequence == sequence)
            #expect(change?.contextName == "\(number)")
            #expect(change?.inserted.count == SavedGraphs.size + 1)
            #expect(change?.isComplete == true)
        }
        await store.close()
        #expect(await changes.next() == nil)
    }

    @Test func `Others' earlier saves are reported before one's own, even without watching`() async throws {
        let other = try TemporaryStore()
        let graphs = SavedGraphs(model: other.model)
        let store = try open(other.path, watching: nil)
        var changes = store.changes.makeAsyncIterator()
        try graphs.save(1, to: other.coordinator)
        let slot = try #require(other.model.layout(named: "Tag")?.property(named: "name")).slot
        try await store.write("own") { context in
            try context.insert("Tag").setValue("mine", at: slot)
        }
        #expect(await changes.next()?.contextName == "1")
        let own = await changes.next()
        #expect(own?.contextName == "own")
        #expect(own?.token.sequence == 2)
        await store.close()
        #expect(await changes.next() == nil)
    }

    @Test func `A store that another process has migrated is not used with the old model`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { other.close() }
        try other.execute("INSERT INTO _store_models (number, fingerprint, model) VALUES (2, 'other', '{}')")
        expectError(.modelMismatch) { try graphs.save(2, to: store.coordinator) }
        expectError(.modelMismatch) { try store.read { _ in } }
        try other.execute("DELETE FROM _store_models WHERE number = 2")
        try graphs.save(3, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 3])
    }

    @Test func `Without a history, others' saves are reported without their objects`() async throws {
        let other = try TemporaryStore { $0.keepsHistory = false }
        let graphs = SavedGraphs(model: other.model)
        let store = try open(other.path, watching: .milliseconds(10))
        var changes = store.changes.makeAsyncIterator()
        try graphs.save(1, to: other.coordinator)
        let change = await changes.next()
        #expect(change?.isComplete == false)
        #expect(change?.token.sequence == 1)
        await store.close()
    }
}
#endif

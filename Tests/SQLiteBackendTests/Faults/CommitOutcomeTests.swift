#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// The reported outcome of a commit that failed with an error of the operating system.
struct CommitOutcomeTests {
    @Test func `A commit whose sync failed is known to have failed, even after a crash`() throws {
        let files = FaultyFiles()
        let store = try TemporaryStore { $0.testHooks.fileSystem = files.name }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let witness = try SQLiteConnection(path: store.path, access: .read, timeout: .seconds(1))
        _ = try witness.integer("SELECT count(*) FROM game")
        files.fail(.sync, of: .log, times: 1)
        let error = #expect(throws: StoreError.self) { try graphs.save(2, to: store.coordinator) }
        #expect(files.failed == 1)
        #expect(error?.code == .inputOutput)
        // The copy is the state after a crash at this point: the log is read from its start.
        let copy = store.folder.appendingPathComponent("copy.sqlite").path
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        try FileManager.default.copyItem(atPath: store.path + "-wal", toPath: copy + "-wal")
        #expect(try SavedGraphs.verify(copy) == [1])
        witness.close()
        try graphs.save(3, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 3])
    }

    @Test func `A commit that is found in the store after its error is a success`() throws {
        let files = FaultyFiles()
        let store = try TemporaryStore { $0.testHooks.fileSystem = files.name }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        try graphs.save(4, to: store.coordinator)
        // No other process has the log open, so it is read again, and the pages of the commit are found in it.
        files.fail(.sync, of: .log, times: 1)
        try graphs.save(2, to: store.coordinator)
        #expect(files.failed == 1)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2, 4])
    }

    @Test func `A commit that can't be verified has an unknown outcome`() throws {
        let files = FaultyFiles()
        let store = try TemporaryStore { $0.testHooks.fileSystem = files.name }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        files.fail(.sync, of: [.log, .main])
        let error = #expect(throws: StoreError.self) { try graphs.save(2, to: store.coordinator) }
        #expect(error?.code == .commitOutcomeUnknown)
        #expect(error?.remedy?.contains("fetch the saved objects") == true)
        files.heal()
        try graphs.save(3, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path).subtracting([2]) == [1, 3])
    }

    @Test func `After SQLite has rolled back a transaction, nothing more runs in the session`() throws {
        let files = FaultyFiles()
        let isFirst = Guarded(true)
        let statementHook = StatementHook { sql in
            guard sql.hasPrefix("INSERT INTO \"player\"") else { return }
            // The disk becomes full in the middle of the save.
            if isFirst.withLock({ $0 }) { files.fail(.write, with: .full) }
            isFirst.withLock { $0 = false }
        }
        let store = try TemporaryStore {
            $0.journal = .delete
            $0.testHooks = SQLiteTestHooks(fileSystem: files.name, statementHook: statementHook)
        }
        let graphs = SavedGraphs(model: store.model)
        var changes = try graphs.changes(1)
        let data = StoredValue.data(Data(repeating: 1, count: 20 << 20))
        changes.inserts[0] = .init(
            entityIndex: try store.model.index("Game"),
            rows: try store.model.rows("Game", [(1, ["title": .string("Go"), "data": data])]))
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "test"))
        let failure = #expect(throws: StoreError.self) {
            _ = try session.apply(changes)
            _ = try session.commit()
        }
        #expect(failure?.code == .diskFull)
        files.heal()
        let later = #expect(throws: StoreError.self) { try session.setUserInfo(["a": "b"]) }
        #expect([.inputOutput, .closed].contains(later?.code))
        session.end()
        #expect(try store.coordinator.metadata().userInfo.isEmpty)
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [2])
    }

    @Test(arguments: ["BEGIN", "INSERT", "SAVEPOINT", "COMMIT", "PRAGMA data_version"])
    func `A failed statement leaves nothing of its save`(_ verb: String) throws {
        let isArmed = Guarded(false)
        let statementHook = StatementHook { (sql) throws(StoreError) in
            if isArmed.withLock({ $0 }), sql.hasPrefix(verb) { throw StoreError(.inputOutput, "Injected.") }
        }
        let store = try TemporaryStore { $0.testHooks.statementHook = statementHook }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        isArmed.withLock { $0 = true }
        #expect(throws: StoreError.self) { try graphs.save(2, to: store.coordinator) }
        isArmed.withLock { $0 = false }
        try graphs.save(3, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 3])
    }

    @Test func `A failed rollback discards the connection, and the next save has another`() throws {
        let isArmed = Guarded(false)
        let statementHook = StatementHook { (sql) throws(StoreError) in
            if isArmed.withLock({ $0 }), sql == "ROLLBACK" { throw StoreError(.inputOutput, "Injected.") }
        }
        let store = try TemporaryStore { $0.testHooks.statementHook = statementHook }
        let graphs = SavedGraphs(model: store.model)
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "test"))
        _ = try session.apply(graphs.changes(1))
        isArmed.withLock { $0 = true }
        session.rollback()
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [2])
    }
}
#endif

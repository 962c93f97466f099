#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Errors about a store whose log or file has been moved.
struct MissingLogTests {
    private func files(_ path: String) -> [String] {
        ["", "-wal", "-shm", "-journal"].filter { FileIdentity(of: path + $0) != nil }
    }

    @Test func `A copy without its log is rejected and unchanged, and complete again with it`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        for number in 1...3 { try graphs.save(number, to: store.coordinator) }
        let folder = try TemporaryFolder()
        let copy = folder.url.appendingPathComponent("it's a copy.sqlite").path
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        let before = try Data(contentsOf: URL(filePath: copy))
        for mode in SQLiteConfiguration.Mode.allCases {
            let error = #expect(throws: StoreError.self) {
                try SQLiteCoordinator(model: store.model, SQLiteConfiguration(path: copy, mode: mode))
            }
            #expect(error?.code == .storeIncomplete)
            #expect(error?.remedy?.contains("Put it back") == true)
            // The command can be pasted into a shell.
            #expect(
                error?.remedy?.contains(#"/it'\''s a copy.sqlite' 'PRAGMA journal_mode = delete'"#) == true)
        }
        #expect(files(copy) == [""])
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
        try FileManager.default.copyItem(atPath: store.path + "-wal", toPath: copy + "-wal")
        try SQLiteCoordinator(model: store.model, SQLiteConfiguration(path: copy)).close()
        #expect(try SavedGraphs.verify(copy) == [1, 2, 3])
    }

    @Test func `A store closed by its last user is one complete file`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let other = try SQLiteCoordinator(model: store.model, SQLiteConfiguration(path: store.path))
        try graphs.save(2, to: other)
        store.coordinator.close()
        #expect(files(store.path).contains("-wal"))
        try graphs.save(3, to: other)
        other.close()
        #expect(files(store.path) == [""])
        let copy = store.folder.appendingPathComponent("copy.sqlite").path
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        let reading = try SQLiteCoordinator(model: store.model, SQLiteConfiguration(path: copy, mode: .read))
        let session = try reading.openReadSession(SessionOptions(identifier: "test"))
        #expect(session.token.sequence == 3)
        session.end()
        reading.close()
        #expect(files(copy) == [""])
    }

    @Test func `A log that SQLite's own tools have emptied can be declared dispensable`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let copy = store.folder.appendingPathComponent("copy.sqlite").path
        for file in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: store.path + file, toPath: copy + file)
        }
        let tool = try SQLiteConnection(path: copy, access: .readAndWrite, timeout: .seconds(1))
        #expect(try tool.text("PRAGMA journal_mode = delete") == "delete")
        tool.close()
        try SQLiteCoordinator(model: store.model, SQLiteConfiguration(path: copy)).close()
        #expect(try SavedGraphs.verify(copy) == [1])
    }

    @Test(arguments: ["-wal", "-shm"])
    func `The deletion of an open store's log is noticed, and nothing is lost`(_ file: String) throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        for number in 1...3 { try graphs.save(number, to: store.coordinator) }
        try store.read { #expect($0.token.sequence == 3) }
        try FileManager.default.removeItem(atPath: store.path + file)
        let saving = #expect(throws: StoreError.self) { try graphs.save(4, to: store.coordinator) }
        #expect(saving?.code == .storeMoved)
        let reading = #expect(throws: StoreError.self) { try store.read { _ in } }
        #expect(reading?.code == .storeMoved)
        try store.reopen()
        try graphs.save(5, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2, 3, 5])
    }

    /// Row S8 of the failure matrix.
    @Test func `Saves and reads notice that a file was moved or replaced, until it is restored`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let away = store.path + ".away"
        try FileManager.default.moveItem(atPath: store.path, toPath: away)
        try expectMoved(store, graphs)
        try Data("something else".utf8).write(to: URL(filePath: store.path))
        try expectMoved(store, graphs)
        #expect(try Data(contentsOf: URL(filePath: store.path)) == Data("something else".utf8))
        try FileManager.default.removeItem(atPath: store.path)
        try FileManager.default.createSymbolicLink(atPath: store.path, withDestinationPath: "/dev/null")
        try expectMoved(store, graphs)
        try FileManager.default.removeItem(atPath: store.path)
        try FileManager.default.moveItem(atPath: away, toPath: store.path)
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2])
    }

    private func expectMoved(_ store: TemporaryStore, _ graphs: SavedGraphs) throws {
        let saving = #expect(throws: StoreError.self) { try graphs.save(9, to: store.coordinator) }
        #expect(saving?.code == .storeMoved)
        let reading = #expect(throws: StoreError.self) { try store.read { _ in } }
        #expect(reading?.code == .storeMoved)
    }

    @Test(arguments: SQLiteConfiguration.Journal.allCases)
    func `A deleted file accepts no save and no fetch, and isn't recreated`(
        _ journal: SQLiteConfiguration.Journal
    ) throws {
        let store = try TemporaryStore { $0.journal = journal }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        try FileManager.default.removeItem(atPath: store.path)
        for _ in 0..<20 { try expectMoved(store, graphs) }
        #expect(FileIdentity(of: store.path) == nil)
    }

    @Test func `A read that can't open a file that has just disappeared reports it`() throws {
        let store = try TemporaryStore { $0.journal = .delete }
        try SavedGraphs(model: store.model).save(1, to: store.coordinator)
        for _ in 0..<50 {
            // A recent check of the file isn't repeated before a connection is opened.
            try store.read { _ in }
            let first = try store.coordinator.openReadSession(SessionOptions(identifier: "first"))
            try FileManager.default.moveItem(atPath: store.path, toPath: store.path + ".away")
            let reading = #expect(throws: StoreError.self) { try store.read { _ in } }
            #expect(reading?.code == .storeMoved)
            first.end()
            try FileManager.default.moveItem(atPath: store.path + ".away", toPath: store.path)
            // An open connection isn't opened again.
            try store.reopen { $0.journal = .delete }
        }
    }

    @Test func `A file that is moved during a save is not committed to`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "test"))
        _ = try session.apply(graphs.changes(2))
        try FileManager.default.moveItem(atPath: store.path, toPath: store.path + ".away")
        let error = #expect(throws: StoreError.self) { try session.commit() }
        #expect(error?.code == .storeMoved)
        try FileManager.default.moveItem(atPath: store.path + ".away", toPath: store.path)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1])
    }
}
#endif

#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// User-defined objects in a store's file: harmless ones stay, and those that would run inside of saves are refused.
struct AlteredSchemaTests {
    private let store: TemporaryStore
    private let graphs: SavedGraphs

    init() throws {
        store = try TemporaryStore()
        graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        store.coordinator.close()
    }

    /// Changes the file as SQLite's own tools would.
    private func alter(_ statements: String...) throws {
        let tool = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { tool.close() }
        for sql in statements { try tool.execute(sql) }
    }

    private func expectRefusal(_ mode: SQLiteConfiguration.Mode, naming name: String) throws {
        let url = URL(filePath: store.path)
        let before = try Data(contentsOf: url)
        let error = #expect(throws: StoreError.self, "\(mode)") { try store.reopen { $0.mode = mode } }
        #expect(error?.code == .alteredSchema)
        #expect(error?.message.contains(name) == true)
        #expect(error?.remedy != nil)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test(arguments: [
        "CREATE TRIGGER audit AFTER INSERT ON game BEGIN DELETE FROM player; END",
        "CREATE TRIGGER audit BEFORE UPDATE OF title ON GAME BEGIN SELECT 1; END",
        "CREATE TRIGGER audit AFTER DELETE ON game_tags BEGIN SELECT 1; END",
        "CREATE TRIGGER audit AFTER INSERT ON _store_history BEGIN SELECT 1; END",
    ])
    func `A trigger on a store's table is rejected for writing, by name, until it is dropped`(
        _ trigger: String
    ) throws {
        try alter(trigger)
        for mode in [SQLiteConfiguration.Mode.write, .create] { try expectRefusal(mode, naming: "audit") }
        try store.reopen { $0.mode = .read }
        try store.read { #expect($0.token.sequence == 1) }
        store.coordinator.close()
        try alter("DROP TRIGGER audit")
        try store.reopen()
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2])
    }

    @Test func `User-defined tables, views and indexes stay, with triggers on them`() throws {
        try alter(
            "CREATE TABLE notes (game INTEGER, text TEXT)",
            "CREATE VIEW titles AS SELECT title FROM game",
            "CREATE INDEX by_score ON player (score)",
            "CREATE TRIGGER audit AFTER INSERT ON notes BEGIN SELECT 1; END",
            "CREATE TRIGGER titled INSTEAD OF INSERT ON titles BEGIN INSERT INTO notes (text) VALUES (new.title); END"
        )
        for mode in SQLiteConfiguration.Mode.allCases {
            try store.reopen { $0.mode = mode }
            try store.read { #expect($0.token.sequence == 1) }
        }
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2])
    }

    @Test(arguments: [
        ["ALTER TABLE tag RENAME TO tags"], ["DROP TABLE game_tags", "DROP TABLE tag"],
        ["ALTER TABLE tag RENAME TO other", "CREATE VIEW tag AS SELECT * FROM other"],
    ])
    func `A table that is missing or replaced by another object is reported`(_ statements: [String]) throws {
        for sql in statements { try alter(sql) }
        let name = statements.count == 2 && statements[0].contains("game_tags") ? "game_tags" : "tag"
        for mode in SQLiteConfiguration.Mode.allCases { try expectRefusal(mode, naming: "“\(name)”") }
    }
}
#endif

#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

struct SQLiteInspectorTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.path + "/a.sqlite"
    }

    private func makeStore() throws -> ObjectModel {
        let model = try ObjectModel {
            Entity("Game") {
                Attribute("title", .string).unique()
                Relationship("players", toMany: "Player", inverse: "games")
            }
            Entity("Player") { Relationship("games", toMany: "Game", inverse: "players") }
        }
        try SQLiteCoordinator(model: model, SQLiteConfiguration(path: path)).close()
        return model
    }

    private func inspector() throws -> any StoreInspector {
        try StoreBackend.sqlite.inspect(StoreURL("sqlite:\(path)"))
    }

    @Test func `The inspector reports the model, tables and settings`() throws {
        let model = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let models = try inspector.models()
        #expect(models.map(\.number) == [1])
        #expect(models.map(\.fingerprint) == [model.fingerprint])
        #expect(try ObjectModel(fileText: models[0].fileText).fingerprint == model.fingerprint)
        let roles = try inspector.tables().map { "\($0.name): \($0.role)" }
        #expect(roles.contains("game: objects(entityName: \"Game\")"))
        #expect(roles.contains { $0.hasSuffix(": links") })
        #expect(roles.contains("_store_models: store"))
        let indexes = try inspector.tables().flatMap(\.indexes)
        #expect(indexes.contains { $0.isUnique && $0.definition == "(\"title\")" })
        let facts = try inspector.databaseInfo()
        #expect(facts.product == "SQLite")
        #expect((facts.bytes ?? 0) > 4096)
        #expect(facts.settings.contains(.init("encoding", "UTF-8")))
        #expect(try inspector.damage().isEmpty)
    }

    @Test func `A store is opened with its own model`() async throws {
        let model = try makeStore()
        let store = try await Store.open("sqlite:\(path)", backends: [.sqlite], model: .stored)
        #expect(store.model.fingerprint == model.fingerprint)
        await store.close()
    }

    @Test func `Inspecting a missing store doesn't create one`() async throws {
        await #expect(throws: StoreError.self) {
            try await Store.open("sqlite:\(path)", backends: [.sqlite], model: .stored)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `Another program's database can be inspected, and has no model`() throws {
        let other = try SQLiteConnection(path: touched(), access: .readAndWrite, timeout: .zero)
        try other.execute("CREATE TABLE a (b INTEGER PRIMARY KEY, c TEXT)")
        try other.execute("INSERT INTO a VALUES (1, 'x')")
        other.close()
        let inspector = try inspector()
        defer { inspector.close() }
        #expect(try inspector.tables().map(\.role) == [.other])
        #expect(
            try inspector.run("SELECT * FROM a", writing: false, limit: nil).rows == [
                [.int(1), .string("x")]
            ])
        let error = #expect(throws: StoreError.self) { try inspector.models() }
        #expect(error?.code == .notAStore)
    }

    private func touched() throws -> String {
        try Data().write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: [
        ("DELETE FROM game", "readOnly"), ("PRAGMA query_only = 0; DELETE FROM game", "readOnly"),
        ("SELECT 1; SELECT 2", "unsupportedRequest"), ("SELEC", "unsupportedRequest"),
        (" -- nothing", "unsupportedRequest"),
    ])
    func `Anything but a single query is rejected`(sql: String, code: String) throws {
        _ = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let error = #expect(throws: StoreError.self) { try inspector.run(sql, writing: false, limit: nil) }
        #expect(error?.code.description == code)
    }

    @Test func `A statement may write if that is allowed, and returns at most the requested rows`() throws {
        _ = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let insert = "INSERT INTO game (\"_id\", \"_version\", title) VALUES (1, 1, 'a'), (2, 1, 'b') -- two"
        #expect(try inspector.run(insert, writing: true, limit: nil).changedRows == 2)
        let answer = try inspector.run("SELECT title FROM game ORDER BY 1;", writing: false, limit: 1)
        #expect(answer == StatementRows(columns: ["title"], rows: [[.string("a")]], isTruncated: true))
    }

    @Test func `A dangling reference is damage`() throws {
        _ = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let table = try #require(inspector.tables().first { $0.role == .links }).name
        let writer = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        try writer.execute("INSERT INTO \"\(table)\" SELECT 8, 9 ")
        writer.close()
        #expect(try inspector.damage().count == 2)
    }
}
#endif

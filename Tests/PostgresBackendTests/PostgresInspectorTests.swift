#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct PostgresInspectorTests {
    private let url: String

    init() throws { url = try TestServer.freshURL() }

    private func makeStore() throws -> ObjectModel {
        let model = try ObjectModel {
            Entity("Game") {
                Attribute("title", .string).unique()
                Relationship("players", toMany: "Player", inverse: "games")
            }
            Entity("Player") { Relationship("games", toMany: "Game", inverse: "players") }
        }
        try PostgresCoordinator(model: model, PostgresConfiguration(StoreURL(url))).close()
        return model
    }

    private func inspector() throws -> any StoreInspector { try StoreBackend.postgres.inspect(StoreURL(url)) }

    @Test func `The inspector reports the model, tables and settings`() throws {
        let model = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let models = try inspector.models()
        #expect(models.map(\.fingerprint) == [model.fingerprint])
        #expect(try ObjectModel(fileText: models[0].fileText).fingerprint == model.fingerprint)
        let roles = try inspector.tables().map { "\($0.name): \($0.role)" }
        #expect(roles.contains("game: objects(entityName: \"Game\")"))
        #expect(roles.contains { $0.hasSuffix(": links") })
        #expect(roles.contains("_store_models: store"))
        #expect(
            try inspector.tables().flatMap(\.indexes).contains { $0.isUnique && $0.definition == "(title)" })
        let facts = try inspector.databaseInfo()
        #expect(facts.product == "PostgreSQL")
        #expect((facts.bytes ?? 0) > 8192)
        #expect(facts.settings.contains(.init("TimeZone", "UTC")))
        #expect(try inspector.damage().isEmpty)
    }

    @Test func `Inspecting a missing store doesn't create one`() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open(url, backends: [.postgres], model: .stored)
        }
        #expect(error?.code == .notAStore)
        let inspector = try inspector()
        defer { inspector.close() }
        #expect(try inspector.tables().isEmpty)
    }

    @Test(arguments: [
        ("DELETE FROM game", "readOnly"), ("COMMIT; DELETE FROM game", "readOnly"),
        ("SELEC", "readOnly"), ("SELECT 1; SELECT 2", "unsupportedRequest"),
    ])
    func `Anything but a single query is rejected`(sql: String, code: String) throws {
        _ = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let error = #expect(throws: StoreError.self) { try inspector.run(sql, writing: false, limit: nil) }
        #expect(error?.code.description == code)
        #expect(try inspector.run("SELECT 1 AS a", writing: false, limit: nil).rows == [[.int(1)]])
    }

    @Test func `A statement forgets why the server rejected the one before it`() throws {
        let connection = try PostgresConnection(PostgresConfiguration(StoreURL(url)))
        #expect(throws: StoreError.self) { try connection.runText("SELEC", limit: nil) }
        #expect(connection.lastRejection != nil)
        _ = try connection.runText("SELECT 1", limit: nil)
        #expect(connection.lastRejection == nil)
    }

    @Test func `A statement may write if that is allowed`() throws {
        _ = try makeStore()
        let inspector = try inspector()
        defer { inspector.close() }
        let insert = "INSERT INTO game (\"_id\", \"_version\", title) VALUES (1, 1, 'a'), (2, 1, 'b')"
        #expect(try inspector.run(insert, writing: true, limit: nil).changedRows == 2)
        let answer = try inspector.run(
            "SELECT title, true AS t, NULL AS n FROM game ORDER BY 1", writing: false, limit: 1)
        #expect(
            answer
                == StatementRows(
                    columns: ["title", "t", "n"], rows: [[.string("a"), .bool(true), .null]],
                    isTruncated: true))
    }

    @Test func `A request is explained with its values`() throws {
        let model = try makeStore()
        let coordinator = try PostgresCoordinator(model: model, PostgresConfiguration(StoreURL(url)))
        defer { coordinator.close() }
        let session = try coordinator.openReadSession(SessionOptions(identifier: "explain"))
        defer { session.end() }
        let game = try #require(model.layout(named: "Game"))
        let plan = FetchPlan(
            entityIndex: game.index,
            predicate: try FetchPredicate("title = 'Go'").resolved(for: game, in: model))
        let explanation = try #require(session as? any ExplainingSession).explain(plan)
        #expect(explanation.statement.contains("$1"))
        #expect(!explanation.steps.isEmpty)
    }
}
#endif

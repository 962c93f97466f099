#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// A failed statement leaves a write session usable.
@Suite(.enabled(if: TestServer.isExpected))
struct SurvivalTests {
    private let model: ObjectModel
    private let configuration: PostgresConfiguration
    private let coordinator: PostgresCoordinator

    init() throws {
        let thing = EntityDescription("Thing", attributes: [AttributeDescription("name", .string)])
        let other = EntityDescription("Other", attributes: [AttributeDescription("name", .string)])
        model = try ObjectModel(entities: [thing, other])
        configuration = try TestServer.freshConfiguration()
        coordinator = try PostgresCoordinator(model: model, configuration)
    }

    private func insertion(_ entityIndex: Int, _ key: Int64) throws -> ChangeSet {
        var builder = RowBatchBuilder(model: model)
        builder.beginRow(key: key, version: 1, entityIndex: entityIndex)
        builder.set(0, to: .string("new"))
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: entityIndex, rows: try builder.finish())]
        return changes
    }

    @Test func `A failed read leaves earlier and later writes intact`() throws {
        let thing = try #require(model.layout(named: "Thing")).index
        let other = try #require(model.layout(named: "Other")).index
        let vandal = try otherProgram(configuration)
        try vandal.execute("ALTER TABLE \"other\" RENAME COLUMN \"name\" TO \"title\"")
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "survivor"))
        #expect(throws: StoreError.self) { try session.fetch(FetchPlan(entityIndex: other)) }
        #expect(try session.fetch(FetchPlan(entityIndex: thing)).count == 0)
        #expect(try session.apply(insertion(thing, 1)).conflicts.isEmpty)
        #expect(throws: StoreError.self) { try session.fetch(FetchPlan(entityIndex: other)) }
        #expect(throws: StoreError.self) { try session.apply(insertion(other, 1)) }
        try session.setUserInfo(["a": "b"])
        #expect(throws: StoreError.self) { try session.rows([1], entityIndex: other) }
        #expect(try session.apply(insertion(thing, 2)).conflicts.isEmpty)
        _ = try session.commit()
        let reader = try coordinator.openReadSession(SessionOptions(identifier: "reader"))
        defer { reader.end() }
        #expect(try reader.fetch(FetchPlan(entityIndex: thing)).count == 2)
        #expect(try coordinator.metadata().userInfo == ["a": "b"])
    }
}
#endif

#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// A store of things on a server for one test.
struct ServerThings {
    let coordinator: PostgresCoordinator

    init(_ configuration: PostgresConfiguration) throws {
        let thing = EntityDescription("Thing", attributes: [AttributeDescription("name", .string)])
        coordinator = try PostgresCoordinator(model: ObjectModel(entities: [thing]), configuration)
    }

    func insertion(_ key: Int64) throws -> ChangeSet {
        var builder = RowBatchBuilder(model: coordinator.model)
        builder.beginRow(key: key, version: 1, entityIndex: 0)
        builder.set(0, to: .string("new"))
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        return changes
    }

    func save(_ key: Int64) throws {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "save"))
        defer { session.end() }
        #expect(try session.apply(insertion(key)).conflicts.isEmpty)
        _ = try session.commit()
    }

    func read() throws -> PostgresReadSession {
        try PostgresReadSession(coordinator.store, SessionOptions(identifier: "read"))
    }

    func keys() throws -> [Int64] {
        let session = try read()
        defer { session.end() }
        let rows = try session.fetch(FetchPlan(entityIndex: 0))
        return (0..<rows.count).map { rows.key(at: $0) }
    }
}
#endif

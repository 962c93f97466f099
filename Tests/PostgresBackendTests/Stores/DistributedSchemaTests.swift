#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// Support for distributed schemas, tested on any server: the function that checks references, and the statement that calls it.
@Suite(.enabled(if: TestServer.isExpected))
struct DistributedSchemaTests {
    private let configuration: PostgresConfiguration
    private let connection: PostgresConnection

    init() throws {
        configuration = try TestServer.freshConfiguration()
        let thing = EntityDescription(
            "Thing", attributes: [AttributeDescription("name", .string)],
            relationships: [
                RelationshipDescription("parent", to: "Thing", inverse: "children"),
                RelationshipDescription("children", to: "Thing", inverse: "parent", isToMany: true),
            ])
        let model = try ObjectModel(entities: [thing])
        try PostgresCoordinator(model: model, configuration).close()
        connection = try PostgresConnection(configuration)
    }

    @Test func `The function finds a dangling reference, and allows its repair`() throws {
        let distributed = DistributedSchema(connection: connection)
        let check = DistributedSchema.check(configuration)
        let table = configuration.stored("thing")
        let isThere = try distributed.hasCheckFunction()
        if !isThere {
            try connection.inTransaction { () throws(StoreError) in try distributed.createCheckFunction() }
        }
        #expect(try distributed.hasCheckFunction())
        try connection.execute("BEGIN")
        try connection.execute(
            #"INSERT INTO \#(table) ("_id", "_version", "name", "parent_id") VALUES (1, 1, 'a', 2); SAVEPOINT a"#
        )
        expectError(.missingReference) { try connection.execute(check) }
        try connection.execute(
            #"ROLLBACK TO a; INSERT INTO \#(table) ("_id", "_version", "name") VALUES (2, 1, 'b')"#)
        #expect(try connection.integer(check) == 0)
        try connection.execute(#"UPDATE \#(table) SET "parent_id" = 3; ROLLBACK"#)
    }
}
#endif

#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// What a role needs: its schema, or rights on what is in it, and no more.
@Suite(.enabled(if: TestServer.isExpected))
struct RoleTests {
    private let owner: PostgresConfiguration
    private let server: PostgresConnection

    init() throws {
        var configuration = try TestServer.freshConfiguration()
        server = try PostgresConnection(configuration)
        configuration.user = "owner_\(UUID().uuidString.prefix(8).lowercased())"
        configuration.password = "owner's"
        owner = configuration
        try makeRole(owner)
        try server.execute("CREATE SCHEMA \(owner.quotedSchema) AUTHORIZATION \(owner.user ?? "")")
    }

    private func makeRole(_ configuration: PostgresConfiguration) throws {
        let password = (configuration.password ?? "").replacing("'", with: "''")
        try server.execute("CREATE ROLE \(configuration.user ?? "") LOGIN PASSWORD '\(password)'")
    }

    private func drop(_ configuration: PostgresConfiguration) {
        let role = configuration.user ?? ""
        try? server.execute("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)")
    }

    @Test func `A role that owns nothing but its schema makes a store there, and works with it`() throws {
        defer { drop(owner) }
        let things = try ServerThings(owner)
        try things.save(1)
        #expect(try things.keys() == [1])
        things.coordinator.close()
        let again = try ServerThings(owner)
        try again.save(2)
        #expect(try again.keys() == [1, 2])
        again.coordinator.close()
    }

    @Test func `A role that owns nothing works with what it was given rights on, as far as policies let it`()
        throws
    {
        var guest = owner
        (guest.user, guest.password) = ("guest_\(UUID().uuidString.prefix(8).lowercased())", "guest's")
        try makeRole(guest)
        defer {
            drop(guest)
            drop(owner)
        }
        let things = try ServerThings(owner)
        try things.save(1)
        try things.save(2)
        let (role, schema) = (guest.user ?? "", owner.quotedSchema)
        try server.execute(
            """
            GRANT USAGE ON SCHEMA \(schema) TO \(role); \
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role); \
            GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role); \
            ALTER TABLE \(owner.stored("thing")) ENABLE ROW LEVEL SECURITY; \
            CREATE POLICY visible ON \(owner.stored("thing")) USING ("_id" <> 1) WITH CHECK ("_id" <> 5)
            """)
        let own = try ServerThings(guest)
        defer { own.coordinator.close() }
        #expect(try own.keys() == [2])
        try own.save(3)
        let session = try own.coordinator.openWriteSession(SessionOptions(identifier: "guest"))
        // What it can't see isn't there for it.
        var changes = ChangeSet()
        changes.deletes = [.init(entityIndex: 0, keys: [1], baseVersions: [1])]
        #expect(try session.apply(changes).conflicts.map(\.key) == [1])
        let error = expectError(.readOnly) { _ = try session.apply(own.insertion(5)) }
        #expect(error?.detail?.contains("42501") == true)
        #expect(try session.apply(own.insertion(4)).conflicts.isEmpty)
        #expect(try session.reserveKeys(1, rootIndex: 0).lowerBound > 4)
        _ = try session.commit()
        #expect(try own.keys() == [2, 3, 4])
        #expect(try things.keys() == [1, 2, 3, 4])
        things.coordinator.close()
    }
}
#endif

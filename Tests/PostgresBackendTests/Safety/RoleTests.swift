#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// The privileges that a role needs: ownership of its schema, or privileges on the schema's objects, and no more.
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

    private func another(_ name: String) -> PostgresConfiguration {
        var other = owner
        (other.user, other.password) = ("\(name)_\(UUID().uuidString.prefix(8).lowercased())", "\(name)'s")
        return other
    }

    /// Creates a role with privileges on the schema's objects only.
    private func makeGuest() throws -> PostgresConfiguration {
        let guest = another("guest")
        try makeRole(guest)
        let (role, schema) = (guest.user ?? "", owner.quotedSchema)
        try server.execute(
            """
            GRANT USAGE ON SCHEMA \(schema) TO \(role); \
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role); \
            GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role)
            """)
        return guest
    }

    private func drop(_ configuration: PostgresConfiguration) {
        let role = configuration.user ?? ""
        try? server.execute("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)")
    }

    @Test func `A role that owns only its schema creates a store and uses it`() throws {
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

    @Test func `A role with granted privileges uses a store, within its policies`() throws {
        let things = try ServerThings(owner)
        try things.save(1)
        try things.save(2)
        let guest = try makeGuest()
        defer {
            drop(guest)
            drop(owner)
        }
        try server.execute(
            """
            ALTER TABLE \(owner.stored("thing")) ENABLE ROW LEVEL SECURITY; \
            CREATE POLICY visible ON \(owner.stored("thing")) USING ("_id" <> 1) WITH CHECK ("_id" <> 5)
            """)
        let own = try ServerThings(guest)
        defer { own.coordinator.close() }
        #expect(try own.keys() == [2])
        try expectRowSecurityError(own)
        try own.save(3)
        let session = try own.coordinator.openWriteSession(SessionOptions(identifier: "guest"))
        // The role doesn't find columns that it can't see.
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

    /// Expects that a session which needs all rows fails, again after its first error.
    private func expectRowSecurityError(_ things: ServerThings) throws {
        var options = SessionOptions(identifier: "backup")
        options.requiresAllRows = true
        let session = try things.coordinator.openReadSession(options)
        defer { session.end() }
        for _ in 1...2 {
            let error = expectError(.accessDenied) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
            #expect(error?.remedy?.contains("BYPASSRLS") == true)
        }
    }

    @Test func `Without the privilege to create temporary tables, the error of drift names it`() throws {
        // A database of its own, because the privilege is revoked from all roles.
        let database = "drift_\(UUID().uuidString.prefix(8).lowercased())"
        try server.execute("CREATE DATABASE \(database)")
        defer {
            try? server.execute("DROP DATABASE \(database) WITH (FORCE)")
            drop(owner)
        }
        try server.execute("REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC")
        var (place, superuser) = (owner, try TestServer.freshConfiguration())
        (place.database, superuser.database) = (database, database)
        let role = owner.user ?? ""
        let maker = try PostgresConnection(superuser)
        try maker.execute("CREATE SCHEMA \(place.quotedSchema) AUTHORIZATION \(role)")
        maker.forceClose()
        try ServerThings(place).coordinator.close()
        let migrator = SQLMigrator(try PostgresMigrationConnection(place, MigrationOptions()))
        defer { migrator.close() }
        let error = expectError(.readOnly) { _ = try migrator.drift() }
        let grant = "GRANT TEMPORARY ON DATABASE \(database) TO \(role)"
        #expect(error?.remedy == "Run \(grant).")
        try server.execute(grant)
        #expect(try migrator.drift() == [])
    }

    // MARK: Functions

    @Test func `Functions of another role are not used as the store's functions`() throws {
        let enemy = another("enemy")
        try makeRole(enemy)
        defer { drop(owner) }
        let (role, schema) = (enemy.user ?? "", owner.quotedSchema)
        try server.execute(
            """
            GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(role); SET ROLE \(role); \
            CREATE FUNCTION \(schema)."_store_add_integer"(a int8, b int8) RETURNS int8 \
            LANGUAGE sql IMMUTABLE AS 'SELECT 666::int8'; RESET ROLE
            """)
        let superuser = try self.superuser()
        let error = expectError(.configuration) { _ = try ServerThings(superuser) }
        #expect(error?.detail?.contains("_store_add_integer") == true)
        expectError(.readOnly) { _ = try ServerThings(owner) }
        drop(enemy)
        let things = try ServerThings(superuser)
        try things.save(1)
        #expect(try things.keys() == [1])
        things.coordinator.close()
    }

    @Test
    func `A role that can't replace the functions uses the existing ones, if they are compatible`() throws {
        let things = try ServerThings(owner)
        try things.save(1)
        things.coordinator.close()
        let guest = try makeGuest()
        defer {
            drop(guest)
            drop(owner)
        }
        let own = try openAfter(version: StoredFunctions.minimumVersion, as: guest)
        #expect(try own.keys() == [1])
        own.coordinator.close()
        let error = expectError(.readOnly) { _ = try openAfter(version: 0, as: guest) }
        #expect(error?.message.contains("functions") == true)
        // Whichever role replaces the functions, they belong to the store's owner.
        for configuration in [try superuser(), owner] {
            try openAfter(version: 0, as: configuration).coordinator.close()
            #expect(try version() == Int64(StoredFunctions.version))
        }
    }

    private func superuser() throws -> PostgresConfiguration {
        var superuser = try TestServer.freshConfiguration()
        superuser.schema = owner.schema
        return superuser
    }

    private var versionNote: String { "\(owner.stored(StoreNames.metadata)) WHERE \"name\" = 'functions'" }

    private func version() throws -> Int64? {
        try server.integer("SELECT \"value\"::int8 FROM \(versionNote)")
    }

    /// Opens a store that was created by a version of the library with other functions.
    private func openAfter(version: Int, as configuration: PostgresConfiguration) throws -> ServerThings {
        let note = versionNote.replacing(" WHERE", with: " SET \"value\" = '\(version)' WHERE")
        try server.execute("UPDATE \(note)")
        return try ServerThings(configuration)
    }

    // MARK: Refusals

    @Test func `A save that fails at its last statement leaves nothing`() throws {
        let database = "own_\(UUID().uuidString.prefix(8).lowercased())"
        try server.execute("CREATE DATABASE \"\(database)\" OWNER \(owner.user ?? "")")
        defer {
            try? server.execute("DROP DATABASE \"\(database)\" WITH (FORCE)")
            drop(owner)
        }
        var (configuration, own) = (owner, try superuser())
        (configuration.database, own.database) = (database, database)
        let things = try ServerThings(configuration)
        try things.save(1)
        let other = try PostgresConnection(own)
        // The last table that a save writes.
        let right = "INSERT ON \(owner.stored(StoreNames.history))"
        try other.execute("REVOKE \(right) FROM \(owner.user ?? "")")
        let session = try things.coordinator.openWriteSession(SessionOptions(identifier: "refused"))
        #expect(try session.apply(things.insertion(2)).conflicts.isEmpty)
        expectError(.readOnly) { _ = try session.commit() }
        try other.execute("GRANT \(right) TO \(owner.user ?? "")")
        try things.save(3)
        #expect(try things.keys() == [1, 3])
        things.coordinator.close()
    }
}
#endif

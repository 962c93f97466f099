#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Roles and databases with session settings that differ from those that the library needs.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct SessionSettingsTests {
    /// The settings of a role, and the values in a session of the library.
    private static let settings: [(name: String, theirs: String, ours: String)] = [
        ("search_path", "public, pg_catalog", "pg_catalog, pg_temp"), ("timezone", "Asia/Kathmandu", "UTC"),
        ("datestyle", "German, DMY", "ISO, MDY"), ("intervalstyle", "sql_standard", "postgres"),
        ("extra_float_digits", "-15", "1"), ("bytea_output", "escape", "hex"),
        ("standard_conforming_strings", "off", "on"), ("transform_null_equals", "on", "off"),
        // With a pooler, a transaction begins with the role's timeout, which is long enough for a busy machine.
        ("quote_all_identifiers", "on", "off"), ("statement_timeout", "1min", "5min"),
        ("lock_timeout", "1ms", "30s"), ("idle_in_transaction_session_timeout", "1ms", "10min"),
    ]

    private let server: PostgresConnection
    private let configuration: PostgresConfiguration
    private let role: String

    init() throws {
        var configuration = try TestServer.freshConfiguration()
        server = try PostgresConnection(configuration)
        role = "odd_\(UUID().uuidString.prefix(8).lowercased())"
        (configuration.user, configuration.password) = (role, "odd")
        self.configuration = configuration
        try server.execute("CREATE ROLE \(role) LOGIN PASSWORD 'odd'")
        try server.execute("CREATE SCHEMA \(configuration.quotedSchema) AUTHORIZATION \(role)")
        for (name, theirs, _) in Self.settings {
            let value = name == "search_path" ? theirs : "'\(theirs)'"
            try server.execute("ALTER ROLE \(role) SET \(name) = \(value)")
        }
    }

    private func drop() throws { try server.execute("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)") }

    @Test(arguments: [false, true])
    func `A session has the settings that the library needs, whatever its role sets`(_ isPooled: Bool)
        throws
    {
        var configuration = configuration
        configuration.isPooled = isPooled
        let connection = try PostgresConnection(configuration)
        try connection.inTransaction { () throws(StoreError) in
            for (name, _, ours) in Self.settings {
                #expect(try connection.run("SHOW \(name)").text(0, 0) == ours, "\(name)")
            }
        }
        try drop()
    }

    @Test func `A failed statement through a pooler doesn't leave the rest to the role's timeout`() throws {
        var configuration = configuration
        configuration.isPooled = true
        let connection = try PostgresConnection(configuration)
        #expect(throws: StoreError.self) {
            try connection.inTransaction { () throws(StoreError) in
                do throws(StoreError) {
                    try connection.execute("SELECT 1 / 0")
                } catch {
                    // Much longer than the role's idle_in_transaction_session_timeout, after which the server would end the session.
                    Thread.sleep(forTimeInterval: 0.1)
                    throw error
                }
            }
        }
        #expect(!connection.detectsServerClose())
        #expect(try connection.integer("SELECT 1") == 1)
        try drop()
    }

    @Test func `This test changes every setting that the library relies on`() throws {
        let names = SessionSettings(configuration).settings.map(\.name)
        #expect(Set(names) == Set(Self.settings.map(\.name)))
        try drop()
    }

    @Test(arguments: [false, true])
    func `Values are read back unchanged for a role with unusual settings`(_ isPooled: Bool) throws {
        var configuration = configuration
        configuration.isPooled = isPooled
        let model = try ObjectModel {
            Entity("Value") {
                Attribute("text", .string)
                Attribute("number", .double)
                Attribute("date", .date)
                Attribute("bytes", .data)
            }
        }
        let coordinator = try PostgresCoordinator(model: model, configuration)
        let (text, number, date) = ("a \\ 'b' \\x41 \"c\"", 0.1 + 0.2, Int64(951_825_600_000_001))
        let bytes = Data([0, 92, 120, 255])
        let columns = model.layouts[0].columns
        func column(_ name: String) throws -> Int { try #require(columns.firstIndex { $0.name == name }) }
        var builder = RowBatchBuilder(model: model)
        builder.beginRow(key: 1, version: 2, entityIndex: 0)
        builder.set(try column("text"), to: .string(text))
        builder.set(try column("number"), to: .double(number))
        builder.set(try column("date"), to: .timestamp(microseconds: date))
        builder.set(try column("bytes"), to: .data(bytes))
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        let writing = try coordinator.openWriteSession(SessionOptions(identifier: "write"))
        _ = try writing.apply(changes)
        _ = try writing.commit()
        let reading = try coordinator.openReadSession(SessionOptions(identifier: "read"))
        let rows = try reading.rows([1], entityIndex: 0)
        #expect(rows.value(try column("text"), at: 0) == .string(text))
        #expect(rows.value(try column("number"), at: 0) == .double(number))
        #expect(rows.value(try column("date"), at: 0) == .timestamp(microseconds: date))
        #expect(rows.value(try column("bytes"), at: 0) == .data(bytes))
        reading.end()
        coordinator.close()
        try drop()
    }
}
#endif

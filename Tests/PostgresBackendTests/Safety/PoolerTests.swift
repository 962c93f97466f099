#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// Poolers between a program and its server that give each transaction another session.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct PoolerTests {
    private let direct: PostgresConfiguration

    init() throws {
        direct = try TestServer.freshConfiguration()
        let model = try ObjectModel { Entity("Game") { Attribute("title", .string) } }
        try PostgresCoordinator(model: model, direct).close()
    }

    /// Calls a function with a configuration whose connections go through a pooler.
    private func behindPooler(
        forgets: Bool, isPooled: Bool = false, _ body: (PostgresConfiguration) throws -> Void
    ) throws {
        let host = try #require(direct.hosts.first)
        let pooler = try TestPooler(to: host.name, port: host.port ?? 5432, forgets: forgets)
        defer { pooler.close() }
        var configuration = direct
        configuration.hosts = [.init("127.0.0.1", port: pooler.port)]
        configuration.isPooled = isPooled
        try body(configuration)
    }

    /// A pooler with few clients may give a transaction the session of the previous one, until other clients come.
    @Test(arguments: [true, false])
    func `A store is not migrated through an undeclared pooler`(forgets: Bool) throws {
        try behindPooler(forgets: forgets) { configuration in
            let connection = try PostgresMigrationConnection(configuration, MigrationOptions())
            defer { connection.close() }
            let error = #expect(throws: StoreError.self) { _ = try connection.tryLock() }
            #expect(error?.code == .configuration)
            #expect(error?.message.contains("there is a pooler between the program and the server") == true)
            #expect(error?.remedy == "Use the address of the server instead of the pooler's.")
        }
        let server = try PostgresMigrationConnection(direct, MigrationOptions())
        defer { server.close() }
        // The attempt leaves nothing behind.
        #expect(try eventually { try server.tryLock() })
    }

    @Test func `A store is not migrated through a pooler that the URL declares`() throws {
        try behindPooler(forgets: true, isPooled: true) { configuration in
            let error = #expect(throws: StoreError.self) {
                _ = try PostgresMigrationConnection(configuration, MigrationOptions())
            }
            #expect(error?.code == .configuration)
            #expect(
                error?.remedy == "Use the address of the server instead of the pooler's, without pooler=on.")
        }
    }

    @Test func `The inspector reports a pooler`() throws {
        func pooler(_ configuration: PostgresConfiguration) throws -> StoreExamination? {
            let inspector = try PostgresInspector(configuration)
            defer { inspector.close() }
            return try inspector.examine().first { $0.name == "pooler" }
        }
        #expect(try pooler(direct)?.finding == "none; the connection is direct")
        for forgets in [true, false] {
            try behindPooler(forgets: forgets) { configuration in
                let warning = try pooler(configuration)
                #expect(warning?.finding == "There is a pooler between the program and the server.")
                #expect(warning?.remedy?.contains("pooler=on") == true)
            }
        }
        try behindPooler(forgets: true, isPooled: true) { configuration in
            let examination = try pooler(configuration)
            #expect(examination == StoreExamination("pooler", "one, as configured in the URL"))
        }
    }
}
#endif

#if Postgres
import ChildProcesses
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Programs that use a store while it is migrated.
@Suite(.enabled(if: TestServer.isExpected))
struct MigrationGateTests {
    private let model: ObjectModel
    private let configuration: PostgresConfiguration
    private let url: String

    init() throws {
        model = try ObjectModel(entities: [.init("Game", attributes: [.init("title", .string)])])
        url = try TestServer.freshURL()
        configuration = try PostgresConfiguration(StoreURL(url))
    }

    @Test func `A read that waits for a migration sees the migrated store`() async throws {
        let store = try await Store.open(url, backends: [.postgres], model: model)
        let configuration = configuration
        // On a separate thread, which starts in time even if the cooperative pool is busy, since a reader doesn't wait forever.
        let titles = try await onThread {
            let migrator = try otherProgram(configuration)
            defer { migrator.forceClose() }
            try migrator.execute("BEGIN; LOCK _store_models IN ACCESS EXCLUSIVE MODE")
            let titles = Task {
                try await store.read("behind") { context in
                    try context.fetch(FetchRequest<ManagedObject>(entityName: "Game")).count
                }
            }
            let waiting = """
                SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '_store_models'::regclass
                """
            let deadline = ContinuousClock.now + .seconds(300)
            while try migrator.integer(waiting) == 0 {
                try #require(ContinuousClock.now < deadline, "No session waits.")
                Thread.sleep(forTimeInterval: 0.002)
            }
            try migrator.execute(
                """
                INSERT INTO _store_models (number, fingerprint, model) SELECT 2, 'another', model FROM _store_models; COMMIT
                """)
            return titles
        }
        let error = await #expect(throws: StoreError.self) { try await titles.value }
        #expect(error?.code == .modelMismatch)
        await store.close()
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }

    @Test func `A migration waits as long as needed, and blocks others only briefly`() async throws {
        let store = try await Store.open(url + "&statement_timeout=7s", backends: [.postgres], model: model)
        await store.close()
        var options = MigrationOptions()
        options.lockTimeout = .milliseconds(250)
        let connection = try PostgresMigrationConnection(
            PostgresConfiguration(StoreURL(url + "&statement_timeout=7s")), options)
        defer { connection.close() }
        let settings = SQLText(
            "SELECT current_setting('lock_timeout'), current_setting('statement_timeout')", [])
        #expect(try connection.rows(settings, [.text, .text]) == [[.string("0"), .string("0")]])
        try connection.begin()
        #expect(try connection.rows(settings, [.text, .text]) == [[.string("250ms"), .string("0")]])
        connection.rollback()
        try connection.execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }
}
#endif

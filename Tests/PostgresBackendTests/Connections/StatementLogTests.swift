#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// The statements that a log receives.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct StatementLogTests {
    private static let secret = "a-secret-title"
    private let model: ObjectModel
    private let url: String

    init() throws {
        model = try ObjectModel(entities: [.init("Game", attributes: [.init("title", .string)])])
        url = try TestServer.freshURL()
    }

    private func entries(
        settings: String = "", _ log: (@escaping @Sendable (StatementLog.Entry) -> Void) -> StatementLog
    ) async throws -> [StatementLog.Entry] {
        let entries = Guarded<[StatementLog.Entry]>([])
        let options = StoreOptions(statementLog: log { entry in entries.withLock { $0.append(entry) } })
        let store = try await Store.open(
            url + settings, backends: [.postgres], model: model, options: options)
        try await store.write("five") { context in
            for number in 1...5 {
                let game = try context.insert("Game")
                try game.set("title", to: "\(Self.secret)\(number)")
            }
            // A fetch begins the transaction, so the save takes several round trips.
            #expect(try context.fetch(FetchRequest<ManagedObject>(entityName: "Game")).count == 5)
        }
        let count = try await store.read("count") { context in
            try context.fetch(FetchRequest<ManagedObject>(entityName: "Game")).count
        }
        #expect(count == 5)
        await store.close()
        let configuration = try PostgresConfiguration(StoreURL(url))
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
        return entries.withLock { $0 }
    }

    @Test(arguments: ["", "&prepare=off", "&pooler=on"])
    func `A log receives each statement, without values`(_ settings: String) async throws {
        let entries = try await entries(settings: settings) { StatementLog(handler: $0) }
        #expect(entries.contains { $0.text.hasPrefix("BEGIN") })
        #expect(entries.contains { $0.text == "COMMIT" })
        #expect(entries.count { $0.text.hasPrefix("INSERT INTO") && $0.text.contains("\"game\"") } == 1)
        #expect(
            entries.contains { $0.text.hasPrefix("SELECT") && $0.text.contains("\"game\"") && $0.rows == 5 })
        #expect(!entries.contains { $0.text.contains(Self.secret) })
        #expect(entries.allSatisfy { $0.duration >= .zero })
    }

    @Test func `Only a log that requests values receives them`() async throws {
        let entries = try await entries { StatementLog(includesValues: true, handler: $0) }
        let insertions = entries.filter { $0.text.contains(Self.secret) }
        #expect(insertions.count == 1)
        #expect(insertions.first?.text.contains("$3 = {'\(Self.secret)1', '\(Self.secret)2'") == true)
    }

    @Test func `Of two combined logs, only the one that requests values receives them`() async throws {
        let plain = Guarded<[String]>([])
        let entries = try await entries { handler in
            .combining([
                StatementLog { entry in plain.withLock { $0.append(entry.text) } },
                StatementLog(includesValues: true, handler: handler),
            ])
        }
        let texts = plain.withLock { $0 }
        #expect(texts.count == entries.count && !texts.contains { $0.contains(Self.secret) })
        #expect(entries.count { $0.text.contains(Self.secret) } == 1)
    }

    @Test func `A log of slow statements receives no quick ones`() async throws {
        #expect(try await entries { StatementLog(threshold: .seconds(600), handler: $0) }.isEmpty)
    }

    @Test func `A log receives slow and failed statements`() throws {
        var configuration = try PostgresConfiguration(StoreURL(url))
        let entries = Guarded<[StatementLog.Entry]>([])
        configuration.statementLog = StatementLog(threshold: .milliseconds(20)) { entry in
            entries.withLock { $0.append(entry) }
        }
        let connection = try PostgresConnection(configuration)
        try connection.run("SELECT 1")
        try connection.run("SELECT pg_sleep(0.03)")
        expectError(.database) {
            try connection.run("SELECT 1 / CASE WHEN pg_sleep(0.03) IS NULL THEN 1 ELSE 0 END")
        }
        try connection.sendInPipeline("SELECT 1 / CASE WHEN pg_sleep(0.03) IS NULL THEN 2 ELSE 0 END")
        try connection.sendInPipeline("SELECT 3")
        expectError(.database) { _ = try connection.finishPipeline() }
        // On a busy machine any statement may be slow.
        let texts = entries.withLock { $0.map(\.text) }.filter { $0.contains("pg_sleep") }
        #expect(texts.count == 3 && texts.first == "SELECT pg_sleep(0.03)")
        #expect(texts.last?.contains("NULL THEN 2") == true)
    }

    @Test(arguments: [false, true])
    func `An error contains no values, whatever a log requests`(isPosted: Bool) throws {
        var configuration = try PostgresConfiguration(StoreURL(url))
        configuration.statementLog = StatementLog(includesValues: true) { _ in }
        let connection = try PostgresConnection(configuration)
        var parameters = PostgresParameters()
        parameters.append(Self.secret)
        let sql = "SELECT $1::text, 1 / length(substr($1, 1, 0))"
        let error = #expect(throws: StoreError.self) {
            if isPosted {
                try connection.sendInPipeline(sql, parameters)
                _ = try connection.finishPipeline()
            } else {
                try connection.run(sql, parameters)
            }
        }
        #expect(error.map { !String(reflecting: $0).contains(Self.secret) } == true)
    }

    @Test func `Values of every type are printed`() throws {
        var parameters = PostgresParameters()
        try parameters.append(.bool(true), as: .bool)
        parameters.append(Int64(-7))
        try parameters.append(.double(0.5), as: .double)
        try parameters.append(.decimal(Decimal(12) / 10), as: .numeric)
        parameters.append("it's")
        parameters.append([0xAB, 0x01] as [UInt8]?)
        parameters.append(timestamp: 0)
        try parameters.append(.string("{}"), as: .json)
        parameters.append(nil as String?)
        parameters.append(keys: [1, 2])
        parameters.append(["a", nil])
        let uuid = UUID()
        try parameters.append(.uuid(uuid), as: .uuid)
        #expect(
            parameters.comment
                == """
                 -- $1 = true, $2 = -7, $3 = 0.5, $4 = 1.2, $5 = 'it''s', $6 = '\\xab01', \
                $7 = '\(CivilTime(microseconds: 0).text)', $8 = '{}', $9 = NULL, $10 = {1, 2}, $11 = {'a', NULL}, \
                $12 = '\(uuid.uuidString)'
                """)
    }
}
#endif

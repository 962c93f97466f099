#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// Reads of a limited part of the history.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct HistoryLimitTests {
    private let rows = Guarded<[Int]>([])
    private let configuration: PostgresConfiguration
    private let things: ServerThings

    init() throws {
        var configuration = try TestServer.freshConfiguration()
        let rows = rows
        configuration.statementLog = StatementLog { entry in
            if entry.text.hasPrefix("SELECT \"sequence\"") { rows.withLock { $0.append(entry.rows) } }
        }
        self.configuration = configuration
        things = try ServerThings(configuration)
        for key in 1...40 { try things.save(Int64(key)) }
    }

    private func history(_ request: HistoryRequest) throws -> [Int64] {
        let session = try things.read()
        defer { session.end() }
        return try session.history(request).map(\.token.sequence)
    }

    private func finish() throws {
        things.coordinator.close()
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }

    @Test func `The server applies the limit`() throws {
        #expect(try history(HistoryRequest(limit: 3)) == [1, 2, 3])
        #expect(rows.withLock { $0 } == [3])
        try finish()
    }

    @Test func `Records without changes don't count`() throws {
        try otherProgram(configuration).execute(
            "UPDATE _store_history SET changes = NULL WHERE sequence < 10")
        #expect(try history(HistoryRequest(limit: 2)) == [10, 11])
        #expect(rows.withLock { $0 } == [2])
        try finish()
    }

    @Test func `The history is read until there are enough changes of the entities`() throws {
        #expect(try history(HistoryRequest(entityIndices: [0], limit: 4)) == [1, 2, 3, 4])
        #expect(try history(HistoryRequest(entityIndices: [], limit: 4)) == [])
        #expect(try history(HistoryRequest(entityIndices: [0])).count == 40)
        #expect(try history(HistoryRequest(limit: 0)) == [])
        try finish()
    }
}
#endif

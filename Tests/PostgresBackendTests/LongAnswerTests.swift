#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Large tables whose rows are streamed: the results equal those that are read at once.
@Suite(.enabled(if: TestServer.isExpected))
struct LongAnswerTests {
    private static let model = Result {
        try ObjectModel(entities: [
            EntityDescription(
                "Thing",
                attributes: [
                    AttributeDescription("name", .string),
                    AttributeDescription("worth", .decimal(precision: 20, scale: 2), isOptional: true),
                ])
        ])
    }

    private let store: InjuredStore
    private var long: ResultSizes { store.coordinator.store.resultSizes }

    init() throws { store = try InjuredStore(model: Self.model.get()) }

    private func make(_ keys: ClosedRange<Int64>) throws {
        try store.execute(
            """
            INSERT INTO "thing" ("_id", "_version", "name") \
            SELECT key, 1, 'thing ' || key FROM generate_series(\(keys.lowerBound), \(keys.upperBound)) AS key ORDER BY key % 7, key
            """)
    }

    private func names(_ rows: RowBatch) -> [StoredValue] {
        (0..<rows.count).map { rows.value(0, at: $0) }
    }

    private func fetch() throws -> RowBatch {
        let session = try store.read()
        defer { session.end() }
        return try session.fetch(FetchPlan(entityIndex: 0))
    }

    private func expect(_ keys: ClosedRange<Int64>, at location: SourceLocation = #_sourceLocation) throws {
        let rows = try fetch()
        #expect((0..<rows.count).map { rows.key(at: $0) } == Array(keys), sourceLocation: location)
        #expect(names(rows) == keys.map { .string("thing \($0)") }, sourceLocation: location)
    }

    @Test func `All rows are returned in order, with or without streaming`() throws {
        try make(1...25_000)
        try expect(1...25_000)
        #expect(long.expectsLargeResult(of: .all(entityIndex: 0)))
        try expect(1...25_000)
        // More rows than before, and fewer.
        try make(25_001...60_000)
        try expect(1...60_000)
        #expect(long.expectsLargeResult(of: .all(entityIndex: 0)))
        try store.execute("DELETE FROM \"thing\" WHERE \"_id\" > 8192")
        try expect(1...8192)
        #expect(!long.expectsLargeResult(of: .all(entityIndex: 0)))
        try expect(1...8192)
        try store.expectFullPool()
    }

    @Test func `They take one round trip, after the scheduled statements`() throws {
        try make(1...25_000)
        _ = try fetch()
        let session = try store.write()
        defer { session.end() }
        for key in Int64(25_001)...25_003 {
            #expect(try session.apply(store.insertion(key)).conflicts.isEmpty)
            for trips in [2, 1] {
                let before = session.connection.roundTrips
                #expect(try session.fetch(FetchPlan(entityIndex: 0)).count == Int(key))
                #expect(session.connection.roundTrips == before + trips)
            }
        }
        _ = try session.commit()
        #expect(try fetch().count == 25_003)
    }

    @Test func `An unreadable row is an error, and the session stays usable`() throws {
        try make(1...25_000)
        _ = try fetch()
        try store.execute("UPDATE \"thing\" SET \"worth\" = 'NaN' WHERE \"_id\" = 7000")
        let session = try store.write()
        defer { session.end() }
        #expect(try session.apply(store.insertion(30_000)).conflicts.isEmpty)
        for _ in 1...2 {
            expectError(.corrupt) { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        }
        #expect(try session.rows([7, 30_000], entityIndex: 0).count == 2)
        _ = try session.commit()
        #expect(try store.keys().count == 25_001)
    }

    @Test func `Server notices during streaming leave the session unchanged`() throws {
        try make(1...25_000)
        _ = try fetch()
        let session = try store.write()
        defer { session.end() }
        #expect(try session.apply(store.insertion(30_000)).conflicts.isEmpty)
        try session.connection.execute("SET LOCAL statement_timeout = 1")
        #expect(throws: StoreError.self) {
            for _ in 1...50 { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        }
        try session.connection.execute("SET LOCAL statement_timeout = 0")
        #expect(try session.fetch(FetchPlan(entityIndex: 0)).count == 25_001)
        _ = try session.commit()
        #expect(try store.keys().count == 25_001)
    }

    @Test func `A connection that is cut during streaming is an error, and the next fetch is complete`()
        throws
    {
        try make(1...25_000)
        _ = try fetch()
        let session = try store.read()
        // The first fetch takes about half of that.
        store.proxy.arm(.cut(afterBytes: 1_700_000))
        expectError(.connectionLost) {
            for _ in 1...3 { _ = try session.fetch(FetchPlan(entityIndex: 0)) }
        }
        session.end()
        #expect(store.proxy.faultCount == 1)
        try expect(1...25_000)
        try store.expectFullPool()
    }
}
#endif

#if SQLite
import CSQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Size limits and timeouts of statements.
struct LimitTests {
    private let store: TemporaryStore
    private let game: EntityLayout

    init() throws {
        store = try TemporaryStore()
        game = try #require(store.model.layout(named: "Game"))
    }

    @Test func `Every connection has its limits, and can't attach other databases`() throws {
        let file = try StoreFile(store.path)
        let connection = try SQLiteConnection.open(
            .readAndWrite, file, SQLiteConfiguration(path: store.path))
        defer { connection.close() }
        for (category, limit) in SQLiteConnection.limits {
            #expect(sqlite3_limit(connection.handle, category, -1) <= limit, "limit \(category)")
        }
        #expect(throws: StoreError.self) { try connection.execute("ATTACH ':memory:' AS other") }
        let long = "SELECT 1 --" + String(repeating: "x", count: 1_000_000)
        let error = #expect(throws: StoreError.self) { try connection.execute(long) }
        #expect(error?.code == .unsupportedRequest)
    }

    @Test func `A model with too many attributes for a table creates no store`() throws {
        let attributes = (0..<1_999).map { AttributeDescription("a\($0)", .int64) }
        let model = try ObjectModel(entities: [EntityDescription("Wide", attributes: attributes)])
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("wide.sqlite").path
        let error = #expect(throws: StoreError.self) {
            try SQLiteCoordinator(model: model, SQLiteConfiguration(path: path))
        }
        #expect(error?.code == .unsupportedRequest)
        #expect(error?.remedy?.contains("another entity") == true)
        #expect(error?.detail?.contains("wide") == true)
    }

    /// Nested chains of AND and OR with the maximum number of comparisons, in the usual notation.
    @Test(arguments: [(1, 499), (2, 240), (5, 99), (14, 30), (27, 17), (27, 1)])
    func `The parser handles predicates at the limit`(_ levels: Int, _ width: Int) throws {
        var text = "weight = 0"
        for level in 0..<levels {
            let sign = level % 2 == 0 ? " OR " : " AND "
            let others = (0..<width).map { "weight != \($0)" }.joined(separator: sign)
            text = "(\(others)\(sign)\(text))"
        }
        let plan = FetchPlan(
            entityIndex: game.index, predicate: try FetchPredicate(text).resolved(for: game, in: store.model))
        #expect(try store.read { try $0.fetch(plan).count } == 0)
    }

    @Test(arguments: [10, 28])
    func `The parser handles nested negations`(_ levels: Int) throws {
        var text = "weight = 0"
        for level in 0..<levels { text = "NOT (weight = \(level) AND \(text))" }
        let plan = FetchPlan(
            entityIndex: game.index, predicate: try FetchPredicate(text).resolved(for: game, in: store.model))
        #expect(try store.read { try $0.fetch(plan).count } == 0)
    }

    @Test func `The time that a session waited for its turn counts toward the file's timeout`() throws {
        let deadline = BusyDeadline(timeout: .seconds(3600), watch: StatementWatch(timeout: nil))
        #expect(deadline.pause(0))
        deadline.start = .now - .seconds(3601)
        #expect(!deadline.pause(0))
        deadline.start = nil
        #expect(deadline.pause(0))
        // The connection stores the start of the wait, and clears it once the transaction has begun.
        let configuration = SQLiteConfiguration(path: store.path)
        let lane = WriterLane(configuration, try StoreFile(store.path), writer: nil)
        let connection = try lane.acquireConnection("test", isCancellable: false)
        #expect(connection.busy.start != nil)
        try connection.begin(writing: true)
        #expect(connection.busy.start == nil)
        connection.rollback()
        lane.releaseConnection(connection)
        lane.close()
    }
}
#endif

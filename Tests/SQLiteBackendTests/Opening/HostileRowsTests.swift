#if SQLite
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import SQLiteBackend

/// Rows that another program or a faulty disk has changed: reading them is an error at worst, and never returns a wrong value.
struct HostileRowsTests {
    private let store: TemporaryStore
    private let game: EntityLayout

    init() throws {
        store = try TemporaryStore()
        game = try #require(store.model.layout(named: "Game"))
        try SavedGraphs(model: store.model).save(1, to: store.coordinator)
    }

    private func execute(_ sql: String) throws {
        let foreign = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { foreign.close() }
        try foreign.execute(sql)
    }

    private func expectCorrupt<Answer>(_ body: (any ReadSession) throws -> Answer) {
        let error = #expect(throws: StoreError.self) { try store.read { _ = try body($0) } }
        #expect(error?.code == .corrupt)
        #expect(error?.remedy != nil)
    }

    private func plan(_ predicate: String? = nil, columns: Set<Int>? = nil) throws -> FetchPlan {
        FetchPlan(
            entityIndex: game.index,
            predicate: try predicate.map { try FetchPredicate($0).resolved(for: game, in: store.model) },
            columns: columns)
    }

    @Test func `Invalid UTF-8 in a text is an error, and never another text`() throws {
        try execute("UPDATE game SET title = CAST(x'41FFC080EDA080F8' AS TEXT)")
        expectCorrupt { try $0.fetch(plan()) }
        expectCorrupt { try $0.fetch(plan("title =[c] \"a\"", columns: [])) }
        // Unaffected columns can be read.
        #expect(try store.read { try $0.fetch(plan(columns: [])).count } == 1)
    }

    @Test func `Invalid UTF-8 in metadata and authors is an error`() throws {
        try execute("UPDATE _store_history SET author = CAST(x'FF' AS TEXT)")
        expectCorrupt { try $0.history(HistoryRequest()) }
        try execute("INSERT INTO _store_metadata VALUES ('user.a', CAST(x'C0' AS TEXT))")
        let error = #expect(throws: StoreError.self) { try store.coordinator.metadata() }
        #expect(error?.code == .corrupt)
    }

    @Test(arguments: ["é", "日本語", "😀", "aaaaaaaé", "aaaaaaaaé", "\u{FFFF}", ""])
    func `Text beyond ASCII is read unchanged`(_ text: String) throws {
        let literal = text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try execute("UPDATE game SET title = CAST(x'\(literal)' AS TEXT)")
        let title = try #require(game.columns.firstIndex { $0.name == "title" })
        #expect(try store.read { try $0.fetch(plan()).value(title, at: 0) } == .string(text))
    }

    @Test(arguments: [
        "07", "0101", "010100", "01010001", "0101000101", "01FFFFFFFFFFFFFFFFFF7F0001", "0501", "04010201",
        "020101FFFFFFFF0F", "0402020101410A0A0A", "040201014108", "02010102C3280102",
        // A run with more rows than possible, and one beyond the largest key.
        "010100010280808080800F", "0101000100FFFFFFFFFFFFFFFF7F",
    ])
    func `An invalid history record is an error`(_ hexadecimal: String) throws {
        try execute("UPDATE _store_history SET changes = x'\(hexadecimal)'")
        expectCorrupt { try $0.history(HistoryRequest()) }
    }

    @Test func `A history at its last number accepts no save, and doesn't trap`() throws {
        try execute("UPDATE _store_history SET sequence = \(Int64.max)")
        let error = #expect(throws: StoreError.self) {
            try SavedGraphs(model: store.model).save(2, to: store.coordinator)
        }
        #expect(error?.code == .corrupt)
        #expect(try store.read { try $0.fetch(plan(columns: [])).count } == 1)
    }

    @Test func `A row with the last version can be changed`() throws {
        try execute("UPDATE game SET _version = \(Int64.max)")
        let price = try #require(game.columns.firstIndex { $0.name == "price" })
        let plan = BatchPlan(
            entityIndex: game.index, predicate: nil, operation: .update([price: .decimal(Decimal(2))]))
        // Whether the batch succeeds or fails, the program continues.
        do { try store.write { _ = try $0.perform(plan) } } catch is StoreError {}
        #expect(try store.read { try $0.fetch(self.plan(columns: [])).count } == 1)
    }

    @Test(arguments: [
        "UPDATE _store_entities SET number = -number",
        "UPDATE _store_entities SET number = number + 4294967296",
        "DELETE FROM _store_entities",
    ])
    func `A store whose entities have no numbers is not opened`(_ sql: String) throws {
        store.coordinator.close()
        try execute(sql)
        let error = #expect(throws: StoreError.self) { try store.reopen() }
        #expect(error?.code == .corrupt)
    }

    @Test func `A result that exceeds a batch of rows is an error`() throws {
        let connection = try SQLiteConnection(path: store.path, access: .read, timeout: .seconds(1))
        defer { connection.close() }
        let mapping = StoreMapping(store.model, maximumNameLength: nil)
        let selection = SelectedColumns(mapping, entityIndex: game.index)
        let statements = EntityStatements(mapping, game.index, selection)
        let statement = try connection.statement(statements.rowByKey)
        defer { statement.reset() }
        statement.bind(1, try #require(try connection.integer("SELECT max(_id) FROM game")))
        var decoder = RowDecoder(model: store.model, selection: selection)
        decoder.heapLimit = 0
        let error = #expect(throws: StoreError.self) { _ = try decoder.rows(statement) }
        #expect(error?.code == .unsupportedRequest)
    }
}
#endif

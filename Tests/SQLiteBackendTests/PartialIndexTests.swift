#if SQLite
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import SQLiteBackend

/// Indexes over the rows that match a predicate.
struct PartialIndexTests {
    private let store: TemporaryStore
    private let note: EntityLayout

    private static func model() throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription(
                "Note",
                attributes: [
                    AttributeDescription("title", .string), AttributeDescription("state", .int64),
                ],
                indexes: [IndexDescription(["title"], where: "state = 1 AND title != \"it's\"")])
        ])
    }

    init() throws {
        store = try TemporaryStore(Self.model())
        note = try #require(store.model.layout(named: "Note"))
    }

    @Test func `The predicate of an index is in the database`() throws {
        let connection = try SQLiteConnection(path: store.path, access: .read, timeout: .seconds(1))
        defer { connection.close() }
        #expect(
            try connection.text("SELECT sql FROM sqlite_schema WHERE name = 'note_title'")
                == #"CREATE INDEX "note_title" ON "note" ("title") WHERE ("state" = 1) AND ("title" <> 'it''s')"#
        )
    }

    @Test func `A fetch of the indexed rows uses the index`() throws {
        let steps = try explain("state = 1 AND title != \"it's\" AND title = \"a\"")
        #expect(steps.contains { $0.contains("note_title") }, "\(steps)")
        #expect(try !explain("state = 2 AND title = \"a\"").contains { $0.contains("note_title") })
    }

    private func explain(_ predicate: String) throws -> [String] {
        let plan = FetchPlan(
            entityIndex: note.index,
            predicate: try FetchPredicate(predicate).resolved(for: note, in: store.model))
        let session = try store.coordinator.openReadSession(SessionOptions(identifier: "test"))
        defer { session.end() }
        return try #require(session as? any ExplainingSession).explain(plan).steps
    }

    /// Models declare such indexes only for searching; the schema also supports unique ones.
    @Test func `A unique partial index ignores rows outside of its predicate`() throws {
        var table = TableSchema(
            "seat", columns: [ColumnSchema("_id", .key, isPrimaryKey: true), ColumnSchema("name", .text)])
        table.indexes = [
            IndexSchema(
                "seat_name", columns: [.init("name")], isUnique: true,
                predicate: .comparison(
                    .column(of: "", "name"), .different, .binding(.value(.string("it's"), .text))))
        ]
        let connection = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { connection.close() }
        for statement in SchemaStatements(.sqlite).creation(of: table) {
            try connection.execute(statement.sql)
        }
        try connection.execute("INSERT INTO seat VALUES (1, 'it''s'), (2, 'it''s'), (3, 'a')")
        let error = #expect(throws: StoreError.self) {
            try connection.execute("INSERT INTO seat VALUES (4, 'a')")
        }
        #expect(error?.code == .duplicate)
    }

    @Test(arguments: [
        (StoredValue.null, SQLType.text), (.bool(true), .bool), (.int(.min), .integer(bits: 64)),
        (.int(.max), .integer(bits: 64)), (.double(0.1), .double(bits: 64)),
        (.double(-Double.leastNonzeroMagnitude), .double(bits: 64)),
        (.double(1.7976931348623157e308), .double(bits: 64)), (.double(.infinity), .double(bits: 64)),
        (.double(-.infinity), .double(bits: 64)), (.string("it's \\ \" -- é\n"), .text), (.string(""), .text),
        (.data(Data([0, 15, 255])), .data), (.data(Data()), .data), (.timestamp(microseconds: -1), .date),
        (.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))), .uuid),
        (.decimal(Decimal(-1.25)), .decimal(precision: 9, scale: 2)),
        (.decimal(Decimal(-1.25)), .decimal(precision: 38, scale: 10)),
    ])
    func `A literal equals the bound value`(_ value: StoredValue, _ type: SQLType) throws {
        let literal = try #require(SQLDialect.sqlite.literal(value, type))
        let connection = try SQLiteConnection(path: store.path, access: .read, timeout: .seconds(1))
        defer { connection.close() }
        let text = SQLText(
            "SELECT \(literal) IS \(.value(value, type)), typeof(\(literal)) = typeof(\(.value(value, type)))",
            .sqlite)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        #expect(try statement.step())
        #expect(statement.integer(0) == 1)
        #expect(statement.integer(1) == 1)
    }

    @Test func `A text with a NUL has no literal`() {
        #expect(SQLDialect.sqlite.literal(.string("a\0b"), .text) == nil)
    }
}
#endif

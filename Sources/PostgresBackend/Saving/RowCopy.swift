#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// Inserts many rows by COPY, which takes a server half as long as a statement that is given arrays.
///
/// Values cross as the table keeps them: nothing fits them to a column on the way. So it is for tables that are what the store would make
/// them, which is asked each time, as somebody may have changed one meanwhile.
struct RowCopy {
    /// How many rows are worth the round trips, since no other statement can be sent while rows flow.
    static let fewest = 2_000
    /// How many bytes are handed over at once.
    private static let portion = 64 * 1024

    private let entity: EntityMapping
    private let dialect: SQLDialect
    private let columns: RowColumns
    /// What the table has to have: each column's name and the number of its type, in the order in which values cross.
    private let expected: [(name: String, type: Oid)]

    init(_ entity: EntityMapping, _ dialect: SQLDialect) {
        self.entity = entity
        self.dialect = dialect
        columns = RowColumns(entity, columns: Array(entity.columns.indices))
        var expected = [(StoreNames.key, SQLType.key), (StoreNames.version, .integer(bits: 64))]
        expected += entity.columns.map { ($0.name, $0.type) }
        if entity.hasEntityColumn { expected.append((StoreNames.entity, .integer(bits: 32))) }
        self.expected = expected.map { ($0, PostgresType.ofColumn($1)) }
    }

    /// Whether the table takes these rows as they are.
    func takes(_ rows: RowBatch, _ connection: PostgresConnection) throws(StoreError) -> Bool {
        guard columns.canKeep(rows) else { return false }
        try connection.post(question)
        try connection.collect()
        return connection.postedRows.map { $0.count == 1 && $0.integer(0, 0) == 1 } ?? false
    }

    /// Whether it is a table as the store makes them, into which nothing but its triggers has a say.
    private var question: String {
        let table = "'\(dialect.stored(entity.table).replacing("'", with: "''"))'::regclass"
        let names = expected.map { "'\($0.name.replacing("'", with: "''"))'" }.joined(separator: ", ")
        let types = expected.map { "\($0.type)" }.joined(separator: ", ")
        return """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = \(table) AND relkind IN ('r', 'p') \
            AND NOT relhasrules AND NOT pg_catalog.row_security_active(oid)) AND NOT EXISTS (\
            SELECT FROM unnest(ARRAY[\(names)]::name[], ARRAY[\(types)]::oid[]) AS expected (name, type) \
            LEFT JOIN pg_catalog.pg_attribute ON attrelid = \(table) AND attname = name AND NOT attisdropped \
            WHERE atttypid IS DISTINCT FROM type)
            """
    }

    /// Inserts rows; what stands in the way of one of them is the error that a statement would end with.
    func insert(_ rows: RowBatch, _ connection: PostgresConnection) throws(StoreError) {
        let names = expected.map { dialect.quoted($0.name) }.joined(separator: ", ")
        let sql = "COPY \(dialect.stored(entity.table)) (\(names)) FROM STDIN (FORMAT binary)"
        var row = 0
        try connection.copy(sql) { bytes in
            while row < rows.count, bytes.count < Self.portion {
                append(rows, row, to: &bytes)
                row += 1
            }
            return row < rows.count
        }
    }

    private func append(_ rows: RowBatch, _ row: Int, to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int16(expected.count))
        bytes.append(field: rows.key(at: row))
        bytes.append(field: rows.version(at: row))
        columns.append(rows, row: row, to: &bytes)
        if entity.hasEntityColumn { bytes.append(field: Int32(entity.number)) }
    }
}

extension [UInt8] {
    /// Appends a number and, before it, how long it is.
    fileprivate mutating func append<Number: FixedWidthInteger>(field number: Number) {
        append(bigEndian: Int32(MemoryLayout<Number>.size))
        append(bigEndian: number)
    }
}
#endif

#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// Inserts many rows with COPY, which takes the server half the time of a statement with array parameters.
///
/// COPY in binary format doesn't convert values to the types of the columns. So it is used only for tables whose columns have the types
/// that the store creates, which is checked each time.
struct RowCopy {
    /// The smallest number of rows for which COPY is worth its round trips, since no other statement can be sent during a COPY.
    static let minimumRows = 2_000
    /// The size of the chunks to send.
    private static let chunkSize = 64 * 1024
    /// The largest size of one statement's rows.
    private static let maximumBytes = 16 * 1024 * 1024

    private let entity: EntityMapping
    private let dialect: SQLDialect
    private let columns: RowColumns
    /// The names and type OIDs of the columns, in the order of the values.
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

    /// Returns whether the table accepts these rows without conversion.
    func accepts(_ rows: RowBatch, _ connection: PostgresConnection) throws(StoreError) -> Bool {
        guard columns.fitsColumnTypes(rows) else { return false }
        var isPlain = false
        var types: [Oid] = []
        try connection.run([tableQuery, columnsQuery]) { answer in
            if answer.count == 1 { isPlain = answer.integer(0, 0) == 1 }
            if answer.count == 0 { types = answer.types }
        }
        return isPlain && types == expected.map(\.type)
    }

    /// The query that returns whether the table has no rules, row security, identity or generated columns.
    private var tableQuery: String {
        let table = "'\(table.replacing("'", with: "''"))'::regclass"
        return """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = \(table) AND relkind IN ('r', 'p') \
            AND NOT relhasrules AND NOT pg_catalog.row_security_active(oid)) AND NOT EXISTS (\
            SELECT FROM pg_catalog.pg_attribute WHERE attrelid = \(table) AND NOT attisdropped \
            AND (attidentity <> '' OR attgenerated <> ''))
            """
    }

    /// The query that returns no rows but the current types of the columns, and locks the table against changes of the types.
    private var columnsQuery: String { "SELECT \(names) FROM \(table) LIMIT 0" }

    private var table: String { dialect.stored(entity.table) }

    private var names: String { expected.map { dialect.quoted($0.name) }.joined(separator: ", ") }

    /// Inserts rows, and throws the same errors as an INSERT.
    func insert(_ rows: RowBatch, _ connection: PostgresConnection) throws(StoreError) {
        var row = 0
        while row < rows.count { try insert(rows, from: &row, connection) }
    }

    /// Inserts the rows of one statement, so that the statement timeout doesn't apply to all rows together.
    private func insert(
        _ rows: RowBatch, from row: inout Int, _ connection: PostgresConnection
    ) throws(StoreError) {
        var (next, length) = (row, 0)
        try connection.copy("COPY \(table) (\(names)) FROM STDIN (FORMAT binary)") { bytes in
            let start = bytes.count
            while next < rows.count, bytes.count < Self.chunkSize {
                append(rows, next, to: &bytes)
                next += 1
            }
            length += bytes.count - start
            return next < rows.count && length < Self.maximumBytes
        }
        row = next
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
    /// Appends the length of a number and the number.
    fileprivate mutating func append<Number: FixedWidthInteger>(field number: Number) {
        append(bigEndian: Int32(MemoryLayout<Number>.size))
        append(bigEndian: number)
    }
}
#endif

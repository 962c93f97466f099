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
    /// How many bytes one statement takes.
    private static let longest = 16 * 1024 * 1024

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
        var isPlain = false
        var types: [Oid] = []
        try connection.run([question, look]) { answer in
            if answer.count == 1 { isPlain = answer.integer(0, 0) == 1 }
            if answer.count == 0 { types = (0..<answer.width).map { answer.column($0).type } }
        }
        return isPlain && types == expected.map(\.type)
    }

    /// Whether it is a table in which only its triggers have a say.
    private var question: String {
        let table = "'\(table.replacing("'", with: "''"))'::regclass"
        return """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = \(table) AND relkind IN ('r', 'p') \
            AND NOT relhasrules AND NOT pg_catalog.row_security_active(oid)) AND NOT EXISTS (\
            SELECT FROM pg_catalog.pg_attribute WHERE attrelid = \(table) AND NOT attisdropped \
            AND (attidentity <> '' OR attgenerated <> ''))
            """
    }

    /// Answers no row, and the types of the columns as they are now, whatever the transaction sees; until its end nobody changes them.
    private var look: String { "SELECT \(names) FROM \(table) LIMIT 0" }

    private var table: String { dialect.stored(entity.table) }

    private var names: String { expected.map { dialect.quoted($0.name) }.joined(separator: ", ") }

    /// Inserts rows; what stands in the way of one of them is the error that a statement would end with.
    func insert(_ rows: RowBatch, _ connection: PostgresConnection) throws(StoreError) {
        var row = 0
        while row < rows.count { try insert(rows, from: &row, connection) }
    }

    /// Inserts as many rows as one statement takes, so that a limit of its time is not one of all rows'.
    private func insert(
        _ rows: RowBatch, from row: inout Int, _ connection: PostgresConnection
    ) throws(StoreError) {
        var (next, length) = (row, 0)
        try connection.copy("COPY \(table) (\(names)) FROM STDIN (FORMAT binary)") { bytes in
            let start = bytes.count
            while next < rows.count, bytes.count < Self.portion {
                append(rows, next, to: &bytes)
                next += 1
            }
            length += bytes.count - start
            return next < rows.count && length < Self.longest
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
    /// Appends a number and, before it, how long it is.
    fileprivate mutating func append<Number: FixedWidthInteger>(field number: Number) {
        append(bigEndian: Int32(MemoryLayout<Number>.size))
        append(bigEndian: number)
    }
}
#endif

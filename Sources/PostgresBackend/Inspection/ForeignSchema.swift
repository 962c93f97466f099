#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// Reads the rows of another program's schema, in one transaction, so that all queries see the same state of the database.
///
/// The transaction writes only temporary tables, which the server drops at its end, and is read-only after the preparation.
final class ForeignSchema: ForeignTableReader {
    private let connection: PostgresConnection
    private var cursors = 0
    /// Whether the server is a primary, and the role has the privilege for temporary tables.
    private let allowsTemporaryTables: Bool

    init(_ configuration: PostgresConfiguration) throws {
        let configuration = configuration.withoutDefaultStatementTimeout
        let connection = try PostgresConnection(configuration)
        self.connection = connection
        let pooled = configuration.isPooled ? SessionSettings(configuration).transactionStatements : []
        let server = try connection.run(
            """
            SELECT pg_catalog.pg_is_in_recovery(), \
            pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY')
            """, usesPreparedStatement: false)
        let isStandby = server.integer(0, 0) != 0
        allowsTemporaryTables = !isStandby && server.integer(0, 1) != 0
        let settings = [
            // The transaction waits while a batch is written to the destination.
            "SET LOCAL idle_in_transaction_session_timeout = 0",
            // Row security is an error instead of missing rows.
            "SET LOCAL row_security = off",
            // Every cursor is read to its end.
            "SET LOCAL cursor_tuple_fraction = 1.0",
        ]
        try connection.execute(
            // Transactions of a role or a database may be read-only by default, which denies temporary tables made by queries.
            (["BEGIN ISOLATION LEVEL REPEATABLE READ\(isStandby ? "" : ", READ WRITE")"] + pooled + settings)
                .joined(separator: "; "))
    }

    deinit { close() }

    // MARK: Tables

    var spelling: ForeignSpelling {
        ForeignSpelling(
            parameterPrefix: "$", schema: connection.configuration.schema, hasInheritance: true,
            temporarySchema: "pg_temp",
            isListed: {
                "\($0) = ANY (pg_catalog.string_to_array($1::pg_catalog.text, ',')::pg_catalog.int8[])"
            },
            isNotWhole: { "\($0) IS NULL" },
            value: { column, alias in
                let name = "\(alias).\(ForeignSpelling.quoted(column.name))"
                if column.isArray { return "pg_catalog.array_to_json(\(name))::pg_catalog.text" }
                switch column.type {
                case .bool?, .int16?, .int32?, .int64?, .float?, .double?, .data?, .uuid?: return name
                case .date?: return name + "::pg_catalog.timestamptz"
                default: return name + "::pg_catalog.text"
                }
            })
    }

    func isStore() throws -> Bool {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.stored(StoreNames.metadata))
        let known = try connection.run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        return known.integer(0, 0) != 0
    }

    func structures() throws -> [TableStructure] { try PostgresInspector(connection).structures() }

    func otherSchemas() throws -> [String] {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.schema)
        let result = try connection.run(
            """
            SELECT n.nspname::pg_catalog.text FROM pg_catalog.pg_namespace AS n WHERE n.nspname <> $1 \
            AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND EXISTS (\
            SELECT 1 FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p') \
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS e WHERE e.objid = c.oid AND e.deptype = 'e' \
            AND e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass)) ORDER BY n.nspname::pg_catalog.text COLLATE "C"
            """, parameters)
        return (0..<result.count).map { result.text($0, 0) }
    }

    func rowAddress(of table: TableStructure) throws -> [String]? {
        // Rows of different partitions may have the same ctid.
        ["tableoid", "ctid"]
    }

    func makeTable(_ name: String, from query: String, uniqueColumns: [[String]]) throws {
        let table = spelling.temporaryTable(name)
        do throws(StoreError) {
            try connection.execute("CREATE TEMPORARY TABLE \(table) ON COMMIT DROP AS \(query)")
            for columns in uniqueColumns {
                let list = columns.map(ForeignSpelling.quoted).joined(separator: ", ")
                try connection.execute("CREATE UNIQUE INDEX ON \(table) (\(list))")
            }
            try connection.execute("ANALYZE \(table)")
        } catch {
            // Without a privilege on a table of the schema the query is denied, too.
            let isDenied = error.code == .readOnly || error.code == .accessDenied
            guard isDenied && !allowsTemporaryTables else { throw error }
            throw StoreError(
                error.code,
                "The server denies the temporary table that numbers rows without numeric primary keys.",
                remedy:
                    "Read from a primary server, with a role that has the privilege TEMPORARY on the database.",
                detail: error.detail)
        }
    }

    func makeReadOnly() throws { try connection.execute("SET TRANSACTION READ ONLY") }

    // MARK: Rows

    func forEachRow(
        of query: String, _ parameters: [StoredValue], _ body: ([StoredValue]) throws -> Void
    ) throws {
        cursors += 1
        let cursor = "rows_\(cursors)"
        try connection.run(
            "DECLARE \(cursor) NO SCROLL CURSOR FOR \(query)", try Self.bound(parameters),
            usesPreparedStatement: false)
        // A failed statement ends the transaction and with it the cursor.
        defer { if !connection.hasFailedStatement { try? connection.execute("CLOSE \(cursor)") } }
        var size = FetchSize()
        while true {
            let result = try connection.run(
                "FETCH FORWARD \(size.rows) FROM \(cursor)", usesPreparedStatement: false)
            let types = result.types
            for row in 0..<result.count {
                try body(try types.indices.map { try Self.value(result, row, $0, types[$0]) })
            }
            if result.count < size.rows { return }
            size.recordFetch(bytes: result.memorySize)
        }
    }

    /// The number of rows that are fetched at once, which depends on the size of those before.
    private struct FetchSize {
        private static let bytes = 16 * 1024 * 1024
        private(set) var rows = 64

        mutating func recordFetch(bytes: Int) {
            rows = max(1, min(Self.bytes / max(1, bytes / rows), rows * 8, 5000))
        }
    }

    private static func bound(_ values: [StoredValue]) throws(StoreError) -> PostgresParameters {
        var parameters = PostgresParameters()
        for value in values {
            switch value {
            case .int(let number): parameters.append(number)
            case .string(let text): parameters.append(text)
            default:
                throw StoreError(
                    .unsupportedRequest, "A query of another program's schema takes numbers and text only.")
            }
        }
        return parameters
    }

    /// Returns a value by the OID of its type (pg_type.dat).
    private static func value(
        _ result: PostgresResult, _ row: Int, _ column: Int, _ type: Oid
    ) throws(StoreError) -> StoredValue {
        switch type {
        case 16: return try result.value(row, column, .bool)
        case 20, 21, 23, 26: return try result.value(row, column, .integer(bits: 64))
        case 700, 701: return try result.value(row, column, .double(bits: 64))
        case 17: return try result.value(row, column, .data)
        case 2950: return try result.value(row, column, .uuid)
        case 1184:
            // The dates “infinity” and “-infinity” are the greatest and the least number.
            let isInfinite =
                !result.isNull(row, column) && [.min, .max].contains(result.integer(row, column))
            return isInfinite ? .string("infinity") : try result.value(row, column, .date)
        default: return try result.value(row, column, .text)
        }
    }

    func close() {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    }
}
#endif

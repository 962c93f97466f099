#if SQLite
package import SQLStore

extension SQLDialect {
    /// The syntax of SQLite 3.40.1 and later.
    package static let sqlite: SQLDialect = {
        var dialect = spelling
        dialect.gathering = SQLDialect.RowGathering(
            function: FunctionSpelling.gather, maximumColumns: FunctionSpelling.maximumGatheredColumns)
        return dialect
    }()

    private static let spelling = SQLDialect(
        quote: "\"",
        placeholder: { "?\($0)" },
        maximumNameLength: nil,
        columnType: columnType,
        tableSuffix: " STRICT",
        linkTableSuffix: " STRICT, WITHOUT ROWID",
        deferral: "DEFERRABLE INITIALLY DEFERRED",
        same: "IS",
        different: "IS NOT",
        isAmongKeys: { "IN (SELECT value FROM json_each(\($0)))" },
        listQuery: listQuery,
        literal: { SQLiteLiteral.spelling(of: $0, $1) },
        call: { FunctionSpelling.spelling(of: $0, $1) })

    private static func columnType(_ type: SQLType) -> SQLFragment {
        switch type {
        case .key, .bool, .integer, .date: "INTEGER"
        case .double: "REAL"
        case .decimal(let precision, _):
            precision <= ScaledDecimal.maximumIntegerPrecision ? "INTEGER" : "TEXT"
        case .anyDecimal, .text, .json, .keys: "TEXT"
        case .data, .uuid: "BLOB"
        }
    }

    /// Renders a query for the values of a JSON list; values without an exact JSON form are encoded as texts in it.
    private static func listQuery(_ list: SQLFragment, _ type: SQLType) -> SQLFragment {
        switch type {
        case .double: "SELECT \(name: FunctionSpelling.listedDouble)(value) FROM json_each(\(list))"
        case .data, .uuid: "SELECT \(name: FunctionSpelling.listedData)(value) FROM json_each(\(list))"
        default: "SELECT value FROM json_each(\(list))"
        }
    }
}
#endif

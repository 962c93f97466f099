#if SQLite
package import SQLStore

extension SQLDialect {
    /// How SQLite spells things, from version 3.40.1 on.
    package static let sqlite = SQLDialect(
        quote: "\"",
        placeholder: { "?\($0)" },
        longestName: nil,
        columnType: columnType,
        tableSuffix: " STRICT",
        linkTableSuffix: " STRICT, WITHOUT ROWID",
        deferral: "DEFERRABLE INITIALLY DEFERRED",
        same: "IS",
        different: "IS NOT",
        keyTable: { "json_each(\($0))" },
        call: { SQLiteFunctions.spelling(of: $0, $1) })

    private static func columnType(_ type: SQLType) -> SQLFragment {
        switch type {
        case .key, .bool, .integer, .date: "INTEGER"
        case .double: "REAL"
        case .decimal(let precision, _): precision <= ScaledDecimal.longestPrecision ? "INTEGER" : "TEXT"
        case .anyDecimal, .text, .json, .keys: "TEXT"
        case .data, .uuid: "BLOB"
        }
    }
}
#endif

#if Postgres
package import SQLStore

extension SQLDialect {
    /// How PostgreSQL spells things, from version 13 on: `min_scale` and `trim_scale`, of a store's own functions, are no older.
    package static let postgres: SQLDialect = {
        var dialect = plain
        dialect.bindsOnce = true
        dialect.constant = constant
        return dialect
    }()

    private static let plain = SQLDialect(
        quote: "\"",
        placeholder: { "$\($0)" },
        longestName: 63,
        columnType: columnType,
        tableSuffix: "",
        linkTableSuffix: "",
        deferral: "DEFERRABLE INITIALLY DEFERRED",
        same: "IS NOT DISTINCT FROM",
        different: "IS DISTINCT FROM",
        keyTable: { "unnest(\($0)) AS keys (value)" },
        listQuery: { list, type in "SELECT unnest(\(list)::\(PostgresType(type).arrayName))" },
        literal: { PostgresLiteral.spelling(of: $0, $1) },
        call: { PostgresFunctions.spelling(of: $0, $1) })

    /// A text that is bound has the database's own order, unless it is told another.
    private static func constant(_ binding: SQLBinding) -> SQLFragment {
        if case .value(_, SQLType.text) = binding { "\(binding) COLLATE \"C\"" } else { "\(binding)" }
    }

    private static func columnType(_ type: SQLType) -> SQLFragment {
        switch type {
        case .key: "bigint"
        case .bool: "boolean"
        case .integer(let bits): bits == 16 ? "smallint" : bits == 32 ? "integer" : "bigint"
        case .double(let bits): bits == 32 ? "real" : "double precision"
        case .decimal(let precision, let scale): "numeric(\(number: precision), \(number: scale))"
        case .anyDecimal: "numeric"
        case .text, .keys: "text COLLATE \"C\""
        case .data: "bytea"
        case .date: "timestamptz"
        case .uuid: "uuid"
        case .json: "jsonb"
        }
    }
}

/// Names between quotes, where no statement is made of them.
enum SQLDialectNames {
    static func quoted(_ name: String) -> String { SQLDialect.postgres.quoted(name) }
}
#endif

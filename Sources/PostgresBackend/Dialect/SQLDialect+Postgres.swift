#if Postgres
package import SQLStore

extension SQLDialect {
    /// How PostgreSQL spells things, from version 13 on: `min_scale` and `trim_scale`, of a store's own functions, are no older.
    package static let postgres: SQLDialect = {
        var dialect = plain
        dialect.bindsOnce = true
        dialect.constant = constant
        dialect.lock = lock
        return dialect
    }()

    private static let plain = SQLDialect(
        quote: "\"",
        placeholder: { "$\($0)" },
        // PostgreSQL keeps 63 bytes; a migration puts a prefix before the names of tables and columns that aren't final.
        longestName: 63 - SchemaTransition.pending.utf8.count,
        columnType: columnType,
        tableSuffix: "",
        linkTableSuffix: "",
        deferral: "DEFERRABLE INITIALLY DEFERRED",
        same: "IS NOT DISTINCT FROM",
        different: "IS DISTINCT FROM",
        isAmongKeys: { "= ANY (\($0))" },
        listQuery: { list, type in "SELECT unnest(\(list)::\(PostgresType(type).arrayName))" },
        literal: { PostgresLiteral.spelling(of: $0, $1) },
        call: { PostgresFunctions.spelling(of: $0, $1) })

    /// Locks the rows of the entity itself: those that a predicate or an order leads to stay as they are.
    private static func lock(_ lock: SelectStatement.Lock) -> SQLFragment {
        let wait: SQLFragment =
            switch lock.wait {
            case .waits: ""
            case .fails: " NOWAIT"
            case .skips: " SKIP LOCKED"
            }
        return " FOR UPDATE OF \(table: lock.alias)\(wait)"
    }

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

extension PostgresConfiguration {
    /// How the statements of the store are spelt: its tables and functions by their schema.
    var dialect: SQLDialect {
        var dialect = SQLDialect.postgres
        dialect.schema = schema
        return dialect
    }

    /// The schema between quotes.
    var quotedSchema: String { SQLDialect.postgres.quoted(schema) }

    /// A table of the store's, as statements call it that were not compiled.
    func stored(_ name: String) -> String { dialect.stored(name) }
}
#endif

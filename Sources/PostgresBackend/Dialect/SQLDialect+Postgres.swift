#if Postgres
package import SQLStore

extension SQLDialect {
    /// The dialect of PostgreSQL 13 and newer: a store's functions use `min_scale` and `trim_scale`, which version 13 introduced.
    package static let postgres: SQLDialect = {
        var dialect = plain
        dialect.sharesParameters = true
        dialect.constant = constant
        dialect.lock = lock
        dialect.isUserInfo = #"starts_with("name", 'user.')"#
        return dialect
    }()

    private static let plain = SQLDialect(
        quote: "\"",
        placeholder: { "$\($0)" },
        // PostgreSQL truncates names after 63 bytes; migrations prefix the names of temporary tables and columns.
        maximumNameLength: PostgresConfiguration.maximumNameLength - SchemaTransition.pending.utf8.count,
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

    /// Returns the clause that locks the rows of the fetched entity only, and not those that a predicate or an order refers to.
    private static func lock(_ lock: SelectStatement.Lock) -> SQLFragment {
        let wait: SQLFragment =
            switch lock.wait {
            case .waits: ""
            case .fails: " NOWAIT"
            case .skips: " SKIP LOCKED"
            }
        return " FOR UPDATE OF \(table: lock.alias)\(wait)"
    }

    /// Adds the collation to a bound text, which would otherwise have the database's default.
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
    /// The dialect of the store's statements, which qualifies its tables and functions with the schema.
    var dialect: SQLDialect {
        var dialect = SQLDialect.postgres
        dialect.schema = schema
        return dialect
    }

    /// The quoted name of the schema.
    var quotedSchema: String { SQLDialect.postgres.quoted(schema) }

    /// Returns the quoted and qualified name of a store's table, for statements that are not compiled.
    func stored(_ name: String) -> String { dialect.stored(name) }
}
#endif

#if Postgres
import ContextCore
package import SQLStore

extension MigrationDialect {
    /// The dialect of migrations on PostgreSQL.
    package static let postgres = MigrationDialect(
        name: "PostgreSQL", dialect: .postgres, rebuildsTables: false,
        frame: MigrationPlan.Frame(
            opening: [
                "BEGIN ISOLATION LEVEL READ COMMITTED",
                "SET LOCAL lock_timeout = \(MigrationOptions().lockTimeout.wholeMilliseconds)",
            ], closing: ["COMMIT"]),
        // https://www.postgresql.org/docs/current/limits.html
        maximumColumns: 1600, maximumIndexColumns: 32,
        // Each table has a type with its name; array types are renamed if necessary.
        existingNames: """
            SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace UNION \
            SELECT typname::text FROM pg_type WHERE typnamespace = current_schema()::regnamespace AND typcategory <> 'A'
            """,
        disableIdleTimeout: "SET LOCAL idle_in_transaction_session_timeout = 0", currentTime: "now()",
        newUUID: "gen_random_uuid()",
        widen: { value, _, type in
            "CAST(\(value) AS \(SQLDialect.postgres.columnType(type).withoutCollation))"
        },
        byteCount: { value, type in
            type == .json ? "octet_length((\(value))::text)" : "octet_length(\(value))"
        },
        keySequenceStatements: keySequenceStatements)

    private static func keySequenceStatements(_ number: Int, _ origin: KeySequenceOrigin) -> [SQLFragment] {
        let sequence: SQLFragment = "\(name: "_store_keys_\(number)")"
        let name = "\"_store_keys_\(number)\""
        var last: SQLFragment?
        switch origin {
        case .nothing: break
        case .tree(let older):
            let before = "\"_store_keys_\(older)\""
            last = "nextval(\(quoted: before))"
        case .allTrees:
            last = """
                (SELECT max(last_value) FROM pg_sequences \
                WHERE schemaname = current_schema() AND starts_with(sequencename::text, \(quoted: "_store_keys_")))
                """
        }
        return ["CREATE SEQUENCE IF NOT EXISTS \(sequence) AS bigint"]
            + [last].compactMap { $0 }.map {
                "SELECT setval(\(quoted: name), greatest(nextval(\(quoted: name)), \($0)))"
            }
    }
}

extension SQLFragment {
    /// The type without its collation, for casts.
    fileprivate var withoutCollation: SQLFragment { self == "text COLLATE \"C\"" ? "text" : self }
}
#endif

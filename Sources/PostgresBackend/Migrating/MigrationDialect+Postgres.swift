#if Postgres
import ContextCore
package import SQLStore

extension MigrationDialect {
    /// How PostgreSQL spells migrations.
    package static let postgres = MigrationDialect(
        name: "PostgreSQL", dialect: .postgres, rebuildsTables: false, moment: "now()",
        newUUID: "gen_random_uuid()",
        widened: { value, _, type in
            "CAST(\(value) AS \(SQLDialect.postgres.columnType(type).withoutCollation))"
        },
        keySpace: keySpace)

    private static func keySpace(_ number: Int, _ older: Int?) -> [SQLFragment] {
        let sequence: SQLFragment = "\(name: "_store_keys_\(number)")"
        var statements: [SQLFragment] = ["CREATE SEQUENCE IF NOT EXISTS \(sequence) AS bigint"]
        if let older {
            let name = "\"_store_keys_\(number)\""
            let before = "\"_store_keys_\(older)\""
            statements.append(
                "SELECT setval(\(quoted: name), greatest(nextval(\(quoted: name)), nextval(\(quoted: before))))"
            )
        }
        return statements
    }
}

extension SQLFragment {
    /// The type of a column alone, as a cast takes it.
    fileprivate var withoutCollation: SQLFragment { self == "text COLLATE \"C\"" ? "text" : self }
}
#endif

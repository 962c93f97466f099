#if SQLite
import ContextCore
package import SQLStore

extension MigrationDialect {
    /// The syntax of SQLite for migrations.
    package static let sqlite = MigrationDialect(
        name: "SQLite", dialect: .sqlite, rebuildsTables: true,
        frame: MigrationPlan.Frame(
            opening: ["PRAGMA foreign_keys = 0", "BEGIN IMMEDIATE"],
            closing: ["COMMIT", "PRAGMA foreign_keys = 1"]),
        // https://www.sqlite.org/limits.html#max_column
        maximumColumns: 2000, maximumIndexColumns: 2000, existingNames: "SELECT name FROM sqlite_schema",
        // Julian days have a precision of milliseconds; 2440587.5 is January 1, 1970.
        currentTime: "(CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) * 1000)",
        newUUID: "randomblob(16)", widen: widen,
        byteCount: { value, _ in "length(CAST(\(value) AS BLOB))" },
        keySequenceStatements: keySequenceStatements)

    private static func widen(_ value: SQLFragment, _ old: SQLType, _ new: SQLType) -> SQLFragment {
        switch (old, new) {
        case (.integer, .double): "CAST(\(value) AS REAL)"
        case (.decimal(let precision, let scale), .decimal(let newPrecision, let newScale)):
            if precision > ScaledDecimal.maximumIntegerPrecision {
                value
            } else if newPrecision <= ScaledDecimal.maximumIntegerPrecision {
                "(\(value) * \(number: (scale..<newScale).reduce(1) { power, _ in power * 10 }))"
            } else {
                "\(name: FunctionSpelling.scaledDecimal)(\(value), \(number: scale))"
            }
        default: value
        }
    }

    /// Starts the keys of a tree after those that the older tree has used; without a stored position, they start after its greatest key.
    private static func keySequenceStatements(_ number: Int, _ origin: KeySequenceOrigin) -> [SQLFragment] {
        let filter: SQLFragment
        switch origin {
        case .nothing: return []
        case .tree(let older): filter = "WHERE \(name: "entity") = \(number: older)"
        case .allTrees: filter = "WHERE true"
        }
        return [
            """
            INSERT INTO \(name: StoreNames.keys) (\(name: "entity"), \(name: "next")) \
            SELECT \(number: number), max(\(name: "next")) FROM \(name: StoreNames.keys) \(filter) HAVING count(*) > 0 \
            ON CONFLICT (\(name: "entity")) DO UPDATE SET \(name: "next") = max(\(name: "next"), excluded.\(name: "next"))
            """
        ]
    }
}
#endif

#if SQLite
import ContextCore
import SQLStore

/// Checks a store's file for changes by other programs.
///
/// User-defined tables, views and indexes are allowed, because the store doesn't use them. A trigger on one of the store's tables is not:
/// it would change rows during saves without versions and history, and contexts would not be notified. A missing or replaced table is not
/// allowed either.
struct SchemaCheck {
    private let connection: SQLiteConnection
    private let ownTables: Set<String>

    init(_ mapping: StoreMapping, _ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        let tables = try SchemaBuilder(mapping, maximumNameLength: nil).storeTables()
        ownTables = Set(tables.map { $0.name.lowercased() })
    }

    /// Throws if the store's tables are not as they were created.
    ///
    /// - Parameter isRead: Whether the store is opened read-only, so that triggers never fire.
    func check(isRead: Bool) throws(StoreError) {
        let statement = try connection.statement(
            "SELECT \"type\", \"name\", \"tbl_name\", \"rootpage\" FROM sqlite_schema WHERE \"type\" <> 'index'"
        )
        defer { statement.reset() }
        var missing = ownTables
        while try statement.step() {
            let (type, name) = (try statement.text(0), try statement.text(1))
            if type == "trigger" {
                let table = try statement.text(2)
                if !isRead, ownTables.contains(table.lowercased()) {
                    throw Self.triggerError(name, on: table)
                }
            } else if type == "table", statement.integer(3) > 0 {
                missing.remove(name.lowercased())
            }
        }
        if let name = missing.min() { throw Self.missingTableError(name) }
    }

    private static func triggerError(_ name: String, on table: String) -> StoreError {
        StoreError(
            .alteredSchema, "The table “\(table)” of the store has a user-defined trigger “\(name)”.",
            remedy: """
                Remove it with DROP TRIGGER, and follow the store's history instead; or open the store read-only with mode=ro. \
                Nothing was changed.
                """)
    }

    private static func missingTableError(_ name: String) -> StoreError {
        StoreError(
            .alteredSchema, "The store's table “\(name)” is missing or was replaced by another object.",
            remedy: "Restore a backup. Nothing was changed.")
    }
}
#endif

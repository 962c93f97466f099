#if SQLite
import ContextCore
import SQLStore

/// Looks for what others have put into a store's file.
///
/// Tables, views and indexes of others are left alone: nobody asks them for anything. A trigger on one of the store's own tables
/// is another matter. It would run inside of every save and change rows behind its back, past versions, history and all that
/// contexts know. So is something else that stands where one of the tables was.
struct SchemaCheck {
    private let connection: SQLiteConnection
    private let ours: Set<String>

    init(_ mapping: StoreMapping, _ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        let tables = try StoreTables.all + SchemaBuilder(mapping, longestName: nil).tables()
        ours = Set(tables.map { $0.name.lowercased() })
    }

    /// Refuses a store whose tables aren't those that it was made with.
    ///
    /// - Parameter isRead: Whether the store is only read, so that no trigger is ever set off.
    func check(isRead: Bool) throws(StoreError) {
        let statement = try connection.statement(
            "SELECT \"type\", \"name\", \"tbl_name\", \"rootpage\" FROM sqlite_schema WHERE \"type\" <> 'index'"
        )
        defer { statement.reset() }
        var missing = ours
        while try statement.step() {
            let (type, name) = (try statement.text(0), try statement.text(1))
            if type == "trigger" {
                let table = try statement.text(2)
                if !isRead, ours.contains(table.lowercased()) { throw Self.trigger(name, on: table) }
            } else if type == "table", statement.integer(3) > 0 {
                missing.remove(name.lowercased())
            }
        }
        if let name = missing.min() { throw Self.missing(name) }
    }

    private static func trigger(_ name: String, on table: String) -> StoreError {
        StoreError(
            .alteredSchema, "Somebody has put the trigger “\(name)” on the table “\(table)” of the store.",
            remedy: """
                Remove it with DROP TRIGGER, and follow the store's history instead; or open the store with mode=ro, to read \
                it only. Nothing was changed.
                """)
    }

    private static func missing(_ name: String) -> StoreError {
        StoreError(
            .alteredSchema, "The store's table “\(name)” is gone, or something else stands in its place.",
            remedy: "Restore a backup. Nothing was changed.")
    }
}
#endif

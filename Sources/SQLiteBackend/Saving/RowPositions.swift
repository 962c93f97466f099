#if SQLite
import ContextCore
import SQLStore

/// The places of rows in ordered relationships, while the rows are taken out of their table and put in again.
struct RowPositions {
    let store: SQLiteStore
    let connection: SQLiteConnection
    private var places: [(table: String, column: String, key: Int64, position: Int64)] = []

    init(store: SQLiteStore, connection: SQLiteConnection) {
        self.store = store
        self.connection = connection
    }

    mutating func remember(_ keys: some Collection<Int64>, of entityIndex: Int) throws(StoreError) {
        let table = store.mapping.entities[entityIndex].table
        for column in store.mapping.positionColumns(of: table) {
            let statement = try connection.statement(
                SQLText(
                    "SELECT \(name: column) FROM \(name: table) WHERE \(name: StoreNames.key) = \(.place(.key))",
                    .sqlite
                ).sql)
            defer { statement.reset() }
            for key in keys {
                statement.bind(1, key)
                if try statement.step(), !statement.isNull(0) {
                    places.append((table, column, key, statement.integer(0)))
                }
                statement.rewind()
            }
        }
    }

    func restore() throws(StoreError) {
        for place in places {
            let statement = try connection.statement(
                SQLText(
                    "UPDATE \(name: place.table) SET \(name: place.column) = \(.place(.key)) WHERE \(name: StoreNames.key) = \(.place(.key))",
                    .sqlite
                ).sql)
            defer { statement.reset() }
            statement.bind(1, place.position)
            statement.bind(2, place.key)
            try statement.run()
        }
    }
}
#endif

#if Postgres
import ContextCore
import SQLStore

/// The places of rows in ordered relationships, while the rows are taken out of their table and put in again.
struct RowPositions {
    let store: PostgresStore
    let connection: PostgresConnection
    private var places: [(table: String, column: String, keys: [Int64], positions: [Int64])] = []

    init(store: PostgresStore, connection: PostgresConnection) {
        self.store = store
        self.connection = connection
    }

    mutating func remember(_ keys: [Int64], of entityIndex: Int) throws(StoreError) {
        let table = store.mapping.entities[entityIndex].table
        for column in store.mapping.positionColumns(of: table) {
            let result = try connection.run(
                ArrayStatements.positions(column, of: table), SessionReader.keys(keys))
            if result.count == 0 { continue }
            places.append(
                (
                    table, column, (0..<result.count).map { result.integer($0, 0) },
                    (0..<result.count).map { result.integer($0, 1) }
                ))
        }
    }

    func restore() throws(StoreError) {
        for place in places {
            var parameters = SessionReader.keys(place.keys)
            parameters.append(keys: place.positions)
            try connection.run(ArrayStatements.restoring(place.column, of: place.table), parameters)
        }
    }
}
#endif

#if SQLite
import ContextCore
import SQLStore

extension SQLiteConnection: SQLConnection {
    var dialect: SQLDialect { .sqlite }

    func run(_ text: SQLText) throws(StoreError) {
        let statement = try statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        try statement.run()
    }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        let statement = try statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var rows: [[StoredValue]] = []
        while try statement.step() {
            var row: [StoredValue] = []
            row.reserveCapacity(types.count)
            for (place, type) in types.enumerated() { row.append(try statement.value(Int32(place), type)) }
            rows.append(row)
        }
        return rows
    }
}
#endif

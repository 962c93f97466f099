#if Postgres
import ContextCore
import SQLStore

extension PostgresConnection: SQLConnection {
    var dialect: SQLDialect { configuration.dialect }

    func rollback() {
        if isAlive, isInTransaction { try? execute("ROLLBACK") }
    }

    func run(_ text: SQLText) throws(StoreError) { _ = try result(of: text) }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        let result = try result(of: text)
        var rows: [[StoredValue]] = []
        rows.reserveCapacity(result.count)
        for index in 0..<result.count {
            var row: [StoredValue] = []
            for (place, type) in types.enumerated() { row.append(try result.value(index, place, type)) }
            rows.append(row)
        }
        return rows
    }

    /// Runs a compiled statement.
    func result(of text: SQLText) throws(StoreError) -> PostgresResult {
        try run(text.sql, try PostgresParameters(text.bindings))
    }
}
#endif

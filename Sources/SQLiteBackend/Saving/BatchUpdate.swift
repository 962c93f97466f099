#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Gives columns of all rows that fulfil a predicate values.
struct BatchUpdate {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// Updates by one statement, and returns what the history is to say; nil where that has to be done row by row.
    ///
    /// Where references lead has to be looked at, which rows have equal values that must be unique, and which values lie outside of
    /// their row.
    func run(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> HistoryEncoder? {
        let entity = store.mapping.entities[batch.entityIndex]
        if values.keys.contains(where: {
            entity.columns[$0].type == .key || entity.columns[$0].external != nil
        }) {
            return nil
        }
        let text = try BatchCompiler(store.mapping, .sqlite).update(batch, values)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var keys: [Int: [Int64]] = [:]
        do throws(StoreError) {
            while try statement.step() {
                let number = entity.hasEntityColumn ? Int(statement.integer(1)) : entity.number
                keys[number, default: []].append(statement.integer(0))
            }
        } catch {
            if error.code == .duplicate, connection.isInTransaction { return nil }
            throw error
        }
        return HistoryEncoder(updates: keys, properties: entity.propertyNames(ofColumns: Array(values.keys)))
    }
}
#endif

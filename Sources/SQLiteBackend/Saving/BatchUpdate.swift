#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Updates columns of all rows that match a predicate.
struct BatchUpdate {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// Updates with one statement and returns the history record, or nil if the rows have to be updated one by one.
    ///
    /// That is the case for references, which have to be checked, for external values, and if values of a unique constraint would be
    /// duplicated.
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

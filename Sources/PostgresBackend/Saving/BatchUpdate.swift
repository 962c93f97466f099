#if Postgres
import ContextCore
import SQLStore

/// Sets columns of all rows that satisfy a predicate.
struct BatchUpdate {
    let store: PostgresStore
    let connection: PostgresConnection

    /// Updates the rows with one statement, and returns the history record; nil if the rows have to be updated individually.
    ///
    /// That is the case for references, duplicate unique values and externally stored values.
    func run(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> HistoryEncoder? {
        let entity = store.mapping.entities[batch.entityIndex]
        if values.keys.contains(where: {
            entity.columns[$0].type == .key || entity.columns[$0].external != nil
        }) {
            return nil
        }
        let result: PostgresResult
        do throws(StoreError) {
            result = try connection.result(of: try BatchCompiler(store.mapping, store.dialect).update(batch, values))
        } catch {
            if error.code == .duplicate { return nil }
            throw error
        }
        var keys: [Int: [Int64]] = [:]
        for row in 0..<result.count {
            let number = entity.hasEntityColumn ? Int(result.integer(row, 1)) : entity.number
            keys[number, default: []].append(result.integer(row, 0))
        }
        return HistoryEncoder(updates: keys, properties: entity.propertyNames(ofColumns: Array(values.keys)))
    }
}
#endif

import ContextCore

/// Sets columns of all rows that match a predicate.
struct BatchUpdate<Reader: RowReader> {
    private let reader: Reader

    init(_ reader: Reader) { self.reader = reader }

    /// Updates the rows with one statement and returns the history record, or nil if they have to be updated individually.
    ///
    /// That is the case for references, which have to be checked, for external values, and if values of a unique constraint would be
    /// duplicated.
    func run(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> HistoryEncoder? {
        let entity = reader.mapping.entities[batch.entityIndex]
        if values.keys.contains(where: {
            entity.columns[$0].type == .key || entity.columns[$0].external != nil
        }) {
            return nil
        }
        let text = try BatchCompiler(reader.mapping, reader.store.dialect).update(batch, values)
        let columns: [[Int64]]
        do throws(StoreError) {
            columns = try reader.integers(text, columns: entity.hasEntityColumn ? 2 : 1)
        } catch {
            if error.code == .duplicate, reader.connection.isInTransaction { return nil }
            throw error
        }
        var keys: [Int: [Int64]] = [:]
        if entity.hasEntityColumn {
            for (key, number) in zip(columns[0], columns[1]) { keys[Int(number), default: []].append(key) }
        } else {
            keys[entity.number] = columns[0]
        }
        return HistoryEncoder(updates: keys, properties: entity.propertyNames(ofColumns: Array(values.keys)))
    }
}

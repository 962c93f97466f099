package import ContextCore

/// Records deletions in the history, with the values that the model preserves.
package struct TombstoneRecorder<Reader: RowReader> {
    private let reader: Reader

    package init(_ reader: Reader) { self.reader = reader }

    /// Records rows that are about to be deleted.
    package func recordDeletions(_ keys: [Int64], entityIndex: Int, _ history: inout HistoryEncoder)
        throws(StoreError)
    {
        let entity = reader.mapping.entities[entityIndex]
        let kept = entity.layout.properties.filter { $0.attribute?.preservesValueOnDeletion == true }
        guard !kept.isEmpty else {
            return history.append(.delete, entity: entity.number, keys: keys)
        }
        let rows = try reader.rows(keys, entityIndex: entityIndex)
        for row in 0..<rows.count {
            var values: [String: StoredValue] = [:]
            for property in kept {
                let value = rows.storedValue(of: property, at: row)
                if !value.isNull { values[property.name] = value }
            }
            history.append(tombstone: values, entity: entity.number, key: rows.key(at: row))
        }
    }
}

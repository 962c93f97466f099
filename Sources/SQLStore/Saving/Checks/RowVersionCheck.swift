package import ContextCore

/// Finds rows that other transactions have changed since the change set was made.
package struct RowVersionCheck<Reader: RowReader> {
    private let reader: Reader

    package init(_ reader: Reader) { self.reader = reader }

    /// Returns a conflict for each inserted row that exists and each row with a different version.
    package func conflicts(_ changes: ChangeSet) throws(StoreError) -> [RowConflict] {
        var conflicts: [RowConflict] = []
        for insertion in changes.inserts {
            let stored = try versions(of: BatchKeys(insertion.rows), insertion.entityIndex)
            for key in BatchKeys(insertion.rows) where stored[key] != nil {
                conflicts.append(
                    RowConflict(
                        entityIndex: insertion.entityIndex, key: key,
                        reason: .duplicate(constraint: [], otherKey: key)))
            }
        }
        for update in changes.updates {
            conflicts += try compare(
                Array(BatchKeys(update.rows)), update.baseVersions.map { $0 }, update.entityIndex)
        }
        for deletion in changes.deletes {
            conflicts += try compare(deletion.keys, deletion.baseVersions, deletion.entityIndex)
        }
        return conflicts.sorted()
    }

    private func compare(
        _ keys: [Int64], _ bases: [Int64?], _ entityIndex: Int
    ) throws(StoreError) -> [RowConflict] {
        let stored = try versions(of: keys, entityIndex)
        var conflicts: [RowConflict] = []
        for (key, base) in zip(keys, bases) {
            guard let base, stored[key] != base else { continue }
            conflicts.append(
                RowConflict(
                    entityIndex: entityIndex, key: key,
                    reason: stored[key].map { .changed(storedVersion: $0) } ?? .deleted))
        }
        return conflicts
    }

    private func versions(
        of keys: some Collection<Int64>, _ entityIndex: Int
    ) throws(StoreError) -> [Int64: Int64] {
        let rows = try reader.headers(of: keys, in: reader.mapping.model.layouts[entityIndex])
        return Dictionary(rows.map { ($0.key, $0.version) }, uniquingKeysWith: { first, _ in first })
    }
}

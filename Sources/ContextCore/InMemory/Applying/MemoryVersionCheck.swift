/// Finds rows that another writer changed or deleted after a change set read them.
struct MemoryVersionCheck {
    private let snapshot: MemorySnapshot

    init(_ snapshot: MemorySnapshot) { self.snapshot = snapshot }

    /// Returns the conflicts, sorted by entity and key.
    func conflicts(_ changes: ChangeSet) -> [RowConflict] {
        var conflicts: [RowConflict] = []
        for group in changes.inserts { appendInsertConflicts(group.rows, &conflicts) }
        for group in changes.updates { appendUpdateConflicts(group, &conflicts) }
        for group in changes.deletes { appendDeleteConflicts(group, &conflicts) }
        return conflicts.sorted()
    }

    private func appendInsertConflicts(_ rows: RowBatch, _ conflicts: inout [RowConflict]) {
        for index in 0..<rows.count {
            let (key, entityIndex) = (rows.key(at: index), rows.entityIndex(at: index))
            guard storedRow(key, entityIndex) != nil else { continue }
            conflicts.append(
                RowConflict(
                    entityIndex: entityIndex, key: key, reason: .duplicate(constraint: [], otherKey: key)))
        }
    }

    private func appendUpdateConflicts(_ group: ChangeSet.Update, _ conflicts: inout [RowConflict]) {
        for (index, base) in group.baseVersions.enumerated() {
            appendVersionConflict(
                group.rows.key(at: index), group.rows.entityIndex(at: index), base, &conflicts)
        }
    }

    private func appendDeleteConflicts(_ group: ChangeSet.Deletion, _ conflicts: inout [RowConflict]) {
        for (key, base) in zip(group.keys, group.baseVersions) {
            if let base { appendVersionConflict(key, group.entityIndex, base, &conflicts) }
        }
    }

    private func appendVersionConflict(
        _ key: Int64, _ entityIndex: Int, _ base: Int64, _ conflicts: inout [RowConflict]
    ) {
        guard let version = storedRow(key, entityIndex)?.version else {
            conflicts.append(RowConflict(entityIndex: entityIndex, key: key, reason: .deleted))
            return
        }
        if version != base {
            conflicts.append(
                RowConflict(entityIndex: entityIndex, key: key, reason: .changed(storedVersion: version)))
        }
    }

    private func storedRow(_ key: Int64, _ entityIndex: Int) -> StoredRow? {
        snapshot.tables[snapshot.model.layouts[entityIndex].rootIndex].rows[key]
    }
}

extension [RowConflict] {
    /// Returns the conflicts sorted by entity and key; the conflicts of one row keep their order.
    package func sorted() -> [RowConflict] {
        enumerated().sorted {
            ($0.element.entityIndex, $0.element.key, $0.offset)
                < ($1.element.entityIndex, $1.element.key, $1.offset)
        }
        .map(\.element)
    }
}

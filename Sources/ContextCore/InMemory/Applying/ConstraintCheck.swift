/// The new values of a row for an index with unique constraints.
struct UniqueClaim {
    let rootIndex: Int
    let index: Int
    let entry: IndexKey
    let entityIndex: Int
}

/// Finds the unique constraints and references that a change set violates.
struct ConstraintCheck {
    private let before: MemorySnapshot
    private let after: MemorySnapshot

    init(before: MemorySnapshot, after: MemorySnapshot) {
        self.before = before
        self.after = after
    }

    private var model: ObjectModel { after.model }

    /// Returns the distinct conflicts, sorted by entity and key.
    func conflicts(_ changes: ChangeSet, _ claims: [UniqueClaim]) -> [RowConflict] {
        var conflicts: [RowConflict] = []
        for claim in claims { appendDuplicates(claim, &conflicts) }
        for group in changes.inserts { appendMissingReferences(group.rows, isNew: true, &conflicts) }
        for group in changes.updates { appendMissingReferences(group.rows, isNew: false, &conflicts) }
        for group in changes.deletes { appendOrphans(group, &conflicts) }
        for group in changes.links { appendMissingLinks(group, &conflicts) }
        var seen: Set<RowConflict> = []
        return conflicts.filter { seen.insert($0).inserted }.sorted()
    }

    // MARK: Unique values

    private func appendDuplicates(_ claim: UniqueClaim, _ conflicts: inout [RowConflict]) {
        let table = after.tables[claim.rootIndex]
        var other: Int64?
        table.indexes[claim.index].forEach(from: IndexKey(bytes: claim.entry.bytes, key: .min)) { entry, _ in
            guard entry.bytes == claim.entry.bytes else { return false }
            if entry.key != claim.entry.key { other = entry.key }
            return other == nil
        }
        guard let other else { return }
        for constraint in table.shapes[claim.index].constraints {
            conflicts.append(
                RowConflict(
                    entityIndex: claim.entityIndex, key: claim.entry.key,
                    reason: .duplicate(constraint: constraint, otherKey: other)))
        }
    }

    // MARK: References

    /// Appends conflicts for new references whose targets don't exist.
    private func appendMissingReferences(_ rows: RowBatch, isNew: Bool, _ conflicts: inout [RowConflict]) {
        for index in 0..<rows.count {
            let row = StoredRow(rows, index)
            for reference in after.schema.references[row.entityIndex] {
                guard let target = row.reference(reference.column) else { continue }
                if !isNew,
                    before.row(row.key, entityIndex: row.entityIndex)?.reference(reference.column) == target
                {
                    continue
                }
                if after.row(target, entityIndex: reference.destinationIndex) != nil { continue }
                conflicts.append(missingReferenceConflict(reference.property, row.entityIndex, row.key))
            }
        }
    }

    /// Appends conflicts for references that still point to deleted rows.
    private func appendOrphans(_ group: ChangeSet.Deletion, _ conflicts: inout [RowConflict]) {
        let rootIndex = model.layouts[group.entityIndex].rootIndex
        for key in group.keys {
            guard let row = before.tables[rootIndex].rows[key], after.tables[rootIndex].rows[key] == nil
            else {
                continue
            }
            for referrer in after.schema.referrers[row.entityIndex] {
                let table = after.tables[referrer.rootIndex]
                table.forEachKey(in: referrer.index, referringTo: key) { orphan in
                    guard let entityIndex = table.rows[orphan]?.entityIndex else { return }
                    conflicts.append(missingReferenceConflict(referrer.property, entityIndex, orphan))
                }
            }
        }
    }

    /// Appends conflicts for new links whose owner or target doesn't exist.
    private func appendMissingLinks(_ group: ChangeSet.LinkChange, _ conflicts: inout [RowConflict]) {
        let property = model.layouts[group.entityIndex].properties[group.slot]
        guard let relationship = property.relationship else { return }
        for link in group.placed
        where after.row(link.owner, entityIndex: relationship.sourceIndex) == nil
            || after.row(link.target, entityIndex: relationship.destinationIndex) == nil
        {
            conflicts.append(missingReferenceConflict(property.name, group.entityIndex, link.owner))
        }
    }

    private func missingReferenceConflict(_ property: String, _ entityIndex: Int, _ key: Int64) -> RowConflict
    {
        RowConflict(entityIndex: entityIndex, key: key, reason: .missingReference(property: property))
    }
}

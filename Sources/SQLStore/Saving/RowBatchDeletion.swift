package import ContextCore

/// Applies delete rules to the rows of a batch deletion, and collects all rows to delete or update.
///
/// Each step processes all rows of an entity with a few statements per relationship, however many rows there are.
package struct RowBatchDeletion<Reader: RowReader> {
    private let reader: Reader
    private let model: ObjectModel
    private let relationshipTargets: RelationshipTargets<Reader>
    /// The rows to delete, by tree and key.
    private var deleted: [Int: [Int64: RowHeader]] = [:]
    /// The rows with references to clear, by entity and key.
    private var nullified: [Int: [Int64: NullifiedRow]] = [:]
    private var conflicts: [(sortKey: [Int64], conflict: RowConflict)] = []

    private struct NullifiedRow {
        let row: StoredRow
        var columns: Set<Int>
    }

    package init(_ reader: Reader) {
        self.reader = reader
        model = reader.mapping.model
        relationshipTargets = RelationshipTargets(reader)
    }

    // MARK: Cascades

    /// Collects the rows of a batch and all rows that their cascade rules delete.
    package mutating func delete(_ batch: BatchPlan) throws(StoreError) {
        let rows = try reader.fetch(
            FetchPlan(
                entityIndex: batch.entityIndex, includesSubentities: batch.includesSubentities,
                predicate: batch.predicate, columns: []))
        var pending = (0..<rows.count).map { RowHeader(rows, $0) }
        while !pending.isEmpty {
            let fresh = pending.filter { recordDeletion(of: $0) }
            pending = []
            for (layout, keys) in groups(of: fresh) {
                for (slot, relationship) in relationships(of: layout)
                where relationship.deleteRule == .cascade {
                    pending += try relationshipTargets.targets(of: keys, layout, slot).map(\.target)
                }
            }
        }
    }

    private mutating func recordDeletion(of row: RowHeader) -> Bool {
        let root = model.layouts[row.entityIndex].rootIndex
        return deleted[root, default: [:]].updateValue(row, forKey: row.key) == nil
    }

    private func isDeleted(_ key: Int64, _ entityIndex: Int) -> Bool {
        deleted[model.layouts[entityIndex].rootIndex]?[key] != nil
    }

    private func groups(of rows: some Sequence<RowHeader>) -> [(EntityLayout, [Int64])] {
        Dictionary(grouping: rows, by: \.entityIndex).sorted { $0.key < $1.key }.map { entityIndex, rows in
            (model.layouts[entityIndex], rows.map(\.key).sorted())
        }
    }

    private func relationships(of layout: EntityLayout) -> [(slot: Int, RelationshipDescription)] {
        layout.properties.compactMap { property in
            property.relationship.map { (property.slot, $0.description) }
        }
    }

    // MARK: The other rules

    /// Applies the other delete rules after all cascades, and returns the changes and conflicts.
    package mutating func finish(author: String?) throws(StoreError) -> (ChangeSet, [RowConflict]) {
        let rows = groups(of: deleted.values.flatMap(\.values))
        for (layout, keys) in rows {
            for (slot, relationship) in relationships(of: layout) {
                switch relationship.deleteRule {
                case .deny: try deny(keys, layout, slot, relationship.name)
                case .nullify: try nullify(keys, layout, slot)
                case .cascade, .noAction: continue
                }
            }
        }
        var changes = ChangeSet(author: author)
        guard conflicts.isEmpty else {
            let sorted = conflicts.sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
            return (changes, sorted.map(\.conflict))
        }
        changes.updates = try updates()
        changes.deletes = rows.map { layout, keys in
            let versions = keys.map { deleted[layout.rootIndex]?[$0]?.version }
            return ChangeSet.Deletion(entityIndex: layout.index, keys: keys, baseVersions: versions)
        }
        return (changes, [])
    }

    private mutating func deny(
        _ keys: [Int64], _ layout: EntityLayout, _ slot: Int, _ name: String
    ) throws(StoreError) {
        var denied: Set<Int64> = []
        for (owner, target) in try relationshipTargets.targets(of: keys, layout, slot)
        where !isDeleted(target.key, target.entityIndex) && denied.insert(owner).inserted {
            conflicts.append(
                (
                    [Int64(layout.index), owner, Int64(slot)],
                    RowConflict(entityIndex: layout.index, key: owner, reason: .denied(property: name))
                ))
        }
    }

    /// Clears references to deleted rows; links of many-to-many relationships are deleted with their rows.
    private mutating func nullify(
        _ keys: [Int64], _ layout: EntityLayout, _ slot: Int
    ) throws(StoreError) {
        guard let relationship = layout.properties[slot].relationship,
            let inverseSlot = relationship.inverseSlot
        else { return }
        let inverse = model.layouts[relationship.destinationIndex].properties[inverseSlot]
        guard let column = inverse.columns.first else { return }
        let left = try relationshipTargets.targets(of: keys, layout, slot).filter {
            !isDeleted($0.target.key, $0.target.entityIndex)
        }
        let rows = try reader.rows(left.map(\.target.key), entityIndex: relationship.destinationIndex)
        let places = Dictionary((0..<rows.count).map { (rows.key(at: $0), $0) }) { first, _ in first }
        for (owner, target) in left {
            guard let place = places[target.key], StoredRow(rows, place).reference(column) == owner else {
                continue
            }
            if inverse.relationship?.description.isOptional == false {
                conflicts.append(
                    (
                        [Int64(layout.index), owner, Int64(slot), target.key],
                        RowConflict(
                            entityIndex: target.entityIndex, key: target.key,
                            reason: .missingReference(property: inverse.name))
                    ))
            }
            nullified[target.entityIndex, default: [:]][
                target.key, default: NullifiedRow(row: StoredRow(rows, place), columns: [])
            ].columns.insert(column)
        }
    }

    /// Returns the updated rows, grouped by entity and changed columns.
    private func updates() throws(StoreError) -> [ChangeSet.Update] {
        var updates: [ChangeSet.Update] = []
        for (entityIndex, rows) in nullified.sorted(by: { $0.key < $1.key }) {
            let shapes = Dictionary(grouping: rows.values) { $0.columns.sorted() }
            for (columns, members) in shapes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                let rows = members.map(\.row).sorted { $0.key < $1.key }
                var builder = RowBatchBuilder(model: model)
                for row in rows {
                    builder.append(row.index, of: row.batch, version: row.version &+ 1)
                    for column in columns { builder.setNull(column) }
                }
                updates.append(
                    ChangeSet.Update(
                        entityIndex: entityIndex, columns: columns, rows: try builder.finish(),
                        baseVersions: rows.map(\.version)))
            }
        }
        return updates
    }
}

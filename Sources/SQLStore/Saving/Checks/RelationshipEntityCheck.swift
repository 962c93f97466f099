package import ContextCore

extension ChangeSet {
    /// Whether the change set has references or links whose destination entity foreign keys can't check.
    package func hasUncheckedReferences(in mapping: StoreMapping) -> Bool {
        !links.isEmpty || inserts.contains { !mapping.entities[$0.entityIndex].narrowReferences.isEmpty }
            || updates.contains { !mapping.entities[$0.entityIndex].narrowReferences.isEmpty }
    }
}

/// Checks that references and links refer to rows of the right entity, which foreign keys can't check.
///
/// A foreign key refers to the table of a whole inheritance tree. Positions in ordered one-to-many relationships have no foreign key.
package struct RelationshipEntityCheck<Reader: RowReader> {
    private let reader: Reader
    private let model: ObjectModel

    package init(_ reader: Reader) {
        self.reader = reader
        model = reader.mapping.model
    }

    /// Whether all referenced rows exist and have the right entity.
    package func isSatisfied(_ changes: ChangeSet) throws(StoreError) -> Bool {
        for insertion in changes.inserts {
            guard try isSatisfied(insertion.rows, insertion.entityIndex, nil) else { return false }
        }
        for update in changes.updates {
            guard try isSatisfied(update.rows, update.entityIndex, update.columns) else { return false }
        }
        for change in changes.links {
            guard try isSatisfied(change) else { return false }
        }
        return true
    }

    private func isSatisfied(_ rows: RowBatch, _ entityIndex: Int, _ columns: [Int]?) throws(StoreError)
        -> Bool
    {
        for reference in reader.mapping.entities[entityIndex].narrowReferences
        where columns?.contains(reference.column) ?? true {
            var targets: Set<Int64> = []
            for row in 0..<rows.count {
                if let target = StoredRow(rows, row).reference(reference.column) { targets.insert(target) }
            }
            let destination = model.layouts[reference.destinationIndex]
            guard try reader.hasAll(targets, of: destination) else { return false }
        }
        return true
    }

    private func isSatisfied(_ change: ChangeSet.LinkChange) throws(StoreError) -> Bool {
        let layouts = model.layouts
        guard let relationship = layouts[change.entityIndex].properties[change.slot].relationship else {
            return true
        }
        let ends = [
            (layouts[relationship.sourceIndex], \RelatedRows.Link.owner),
            (layouts[relationship.destinationIndex], \RelatedRows.Link.target),
        ]
        for (layout, end) in ends where !relationship.isManyToMany || layout.rootIndex != layout.index {
            guard try reader.hasAll(Set(change.placed.map { $0[keyPath: end] }), of: layout) else {
                return false
            }
        }
        return true
    }
}

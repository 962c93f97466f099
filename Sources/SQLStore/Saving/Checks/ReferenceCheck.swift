import ContextCore

/// Finds the dangling references that a change set leaves.
struct ReferenceCheck<Reader: RowReader> {
    private let reader: Reader

    init(_ reader: Reader) { self.reader = reader }

    func conflicts(_ changes: ChangeSet) throws(StoreError) -> [RowConflict] {
        var search = Search(reader, changes)
        for insertion in changes.inserts { try search.check(at: insertion.rows, of: insertion.entityIndex) }
        for update in changes.updates { try search.check(at: update.rows, of: update.entityIndex) }
        for deletion in changes.deletes { try search.check(for: deletion) }
        for change in changes.links { try search.check(at: change) }
        return search.conflicts
    }

    private struct Search {
        private let reader: Reader
        private var mapping: StoreMapping { reader.mapping }
        /// The keys of rows that exist after the change set, by entity, even if they were not inserted because they collide.
        var kept: [Int: Set<Int64>] = [:]
        var conflicts: [RowConflict] = []
        private var seen: Set<RowConflict> = []

        init(_ reader: Reader, _ changes: ChangeSet) {
            self.reader = reader
            for update in changes.updates { recordKeys(of: update.rows, update.entityIndex) }
            for insertion in changes.inserts { recordKeys(of: insertion.rows, insertion.entityIndex) }
        }

        private mutating func recordKeys(of rows: RowBatch, _ entityIndex: Int) {
            kept[entityIndex, default: []].formUnion(BatchKeys(rows))
        }

        private mutating func report(_ entityIndex: Int, _ key: Int64, _ property: String) {
            let conflict = RowConflict(
                entityIndex: entityIndex, key: key, reason: .missingReference(property: property))
            if seen.insert(conflict).inserted { conflicts.append(conflict) }
        }

        /// Returns the keys that belong to no row.
        private func missing(_ keys: Set<Int64>, _ entityIndex: Int) throws(StoreError) -> Set<Int64> {
            let layout = mapping.model.layouts[entityIndex]
            var unknown = keys
            for index in layout.familyIndices { unknown.subtract(kept[index] ?? []) }
            if unknown.isEmpty { return [] }
            let found = try reader.headers(of: unknown, in: layout)
                .filter { layout.familyIndices.contains($0.entityIndex) }
            return unknown.subtracting(found.map(\.key))
        }

        /// Checks the references of inserted and updated rows.
        mutating func check(at rows: RowBatch, of entityIndex: Int) throws(StoreError) {
            for property in mapping.model.layouts[entityIndex].properties {
                guard let relationship = property.relationship, let column = property.columns.first,
                    mapping.isChecked(relationship)
                else { continue }
                var referring: [(row: Int64, target: Int64)] = []
                for row in 0..<rows.count {
                    if case .int(let target) = rows.value(column, at: row) {
                        referring.append((rows.key(at: row), target))
                    }
                }
                let missing = try missing(Set(referring.map(\.target)), relationship.destinationIndex)
                for (key, target) in referring where missing.contains(target) {
                    report(entityIndex, key, property.name)
                }
            }
        }

        /// Checks the owners and members of added links.
        mutating func check(at change: ChangeSet.LinkChange) throws(StoreError) {
            let layout = mapping.model.layouts[change.entityIndex]
            guard let relationship = layout.properties[change.slot].relationship else { return }
            let owners = try missing(Set(change.placed.map(\.owner)), relationship.sourceIndex)
            let targets = try missing(Set(change.placed.map(\.target)), relationship.destinationIndex)
            for link in change.placed where owners.contains(link.owner) || targets.contains(link.target) {
                report(change.entityIndex, link.owner, relationship.description.name)
            }
        }

        /// Finds rows that still refer to a deleted row.
        mutating func check(for deletion: ChangeSet.Deletion) throws(StoreError) {
            let deleted = mapping.model.layouts[deletion.entityIndex]
            for layout in mapping.model.layouts where !layout.isAbstract {
                for property in layout.properties {
                    guard let relationship = property.relationship, let column = property.columns.first,
                        mapping.model.layouts[relationship.destinationIndex].rootIndex == deleted.rootIndex,
                        mapping.isChecked(relationship)
                    else { continue }
                    for key in try reader.keys(of: layout, whereColumn: column, isAmong: deletion.keys) {
                        report(layout.index, key, property.name)
                    }
                }
            }
        }
    }
}

extension DerivedChanges {
    /// Returns the changes with their derived attributes, and with the rows that the transaction must lock.
    ///
    /// Without locks, two concurrent transactions could each miss the other's change: one deletes the best player of a game, the other the
    /// second best, and neither updates the game's best score. Or one renames a game while the other copies its name into a new player.
    /// So both transactions lock the row with the derived attribute, whether they change it or not.
    package func completedWithLocks() throws -> ChangeSet {
        var completed = try completed()
        if !model.layouts.contains(where: { $0.derivations.contains { $1.readsRelationships } }) {
            return completed
        }
        let written = ChangedRows(completed, over: source)
        let lockedRows = try owners().union(sources(of: written)).filter {
            written.rows[$0] == nil && !written.deleted.contains($0)
        }
        completed.lockedRows = Dictionary(grouping: lockedRows, by: \.rootIndex).sorted { $0.key < $1.key }
            .map {
                ChangeSet.LockedRows(rootIndex: $0, keys: $1.map(\.key).sorted())
            }
        return completed
    }

    /// Returns the rows with a derived attribute over a relationship in which a value that it depends on changes.
    private func owners() throws -> Set<RowKey> {
        var owners = changed.ownersOfChangedLinks
        for place in contributors() {
            let rows = [changed.rows[place], try source.row(place.key, entityIndex: place.rootIndex)]
            for row in rows.compactMap(\.self) { owners.formUnion(try self.owners(of: row)) }
        }
        return owners
    }

    /// Returns the new and deleted rows, and those with a changed value on which derived attributes of other rows depend.
    private func contributors() -> [RowKey] {
        var places = Array(changed.deleted)
        for insertion in changes.inserts { places += self.places(insertion.rows) }
        for update in changes.updates
        where model.contributes(model.layouts[update.entityIndex], columns: update.columns) {
            places += self.places(update.rows)
        }
        return places
    }

    private func places(_ rows: RowBatch) -> [RowKey] {
        (0..<rows.count).map { RowKey(StoredRow(rows, $0), in: model) }
    }

    /// Returns the rows from which written rows copy values, and the rows on the path to them.
    private func sources(of written: ChangedRows<Source>) throws -> Set<RowKey> {
        var sources: Set<RowKey> = []
        for row in written.rows.values {
            for (_, derivation) in model.layouts[row.entityIndex].derivations
            where derivation.readsRelationships {
                var place: StoredRow? = row
                for name in (derivation.path ?? "").split(separator: ".").dropLast() {
                    guard let current = place,
                        let property = model.layouts[current.entityIndex].property(named: String(name)),
                        let relationship = property.relationship,
                        let key = property.columns.first.flatMap(current.reference)
                    else { break }
                    place = try written.row(key, entityIndex: relationship.destinationIndex)
                    if let place { sources.insert(RowKey(place, in: model)) }
                }
            }
        }
        return sources
    }
}

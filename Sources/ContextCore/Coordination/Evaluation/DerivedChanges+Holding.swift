extension DerivedChanges {
    /// The changes with what follows from them, and with the rows that no other transaction may change meanwhile.
    ///
    /// Two transactions at once could each miss what the other does: one deletes the best player of a game, the other the second best,
    /// and neither changes the game's best score. Or one renames a game whose name the other copies into a new player. So what is
    /// derived over a relationship belongs to the row that has it, which each of them writes, changed or not.
    package func completedHolding() throws -> ChangeSet {
        var completed = try completed()
        if !model.layouts.contains(where: { $0.derivations.contains { $1.readsRelationships } }) {
            return completed
        }
        let written = ChangedRows(completed, over: source)
        let held = try owners().union(sources(of: written)).filter {
            written.rows[$0] == nil && !written.deleted.contains($0)
        }
        completed.held = Dictionary(grouping: held, by: \.rootIndex).sorted { $0.key < $1.key }.map {
            ChangeSet.HeldRows(rootIndex: $0, keys: $1.map(\.key).sorted())
        }
        return completed
    }

    /// The rows that derive over a relationship in which something changes that they depend on.
    private func owners() throws -> Set<RowPlace> {
        var owners = changed.linkedOwners
        for place in contributors() {
            let rows = [changed.rows[place], try source.row(place.key, entityIndex: place.rootIndex)]
            for row in rows.compactMap(\.self) { owners.formUnion(try self.owners(of: row)) }
        }
        return owners
    }

    /// The new and deleted rows, and those in which something is changed that other rows derive from.
    private func contributors() -> [RowPlace] {
        var places = Array(changed.deleted)
        for insertion in changes.inserts { places += self.places(insertion.rows) }
        for update in changes.updates
        where model.contributes(model.layouts[update.entityIndex], columns: update.columns) {
            places += self.places(update.rows)
        }
        return places
    }

    private func places(_ rows: RowBatch) -> [RowPlace] {
        (0..<rows.count).map { RowPlace(StoredRow(rows, $0), in: model) }
    }

    /// The rows that those copy from that are written, and the rows on the way there.
    private func sources(of written: ChangedRows<Source>) throws -> Set<RowPlace> {
        var sources: Set<RowPlace> = []
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
                    if let place { sources.insert(RowPlace(place, in: model)) }
                }
            }
        }
        return sources
    }
}

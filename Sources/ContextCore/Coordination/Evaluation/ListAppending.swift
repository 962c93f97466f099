/// Moves rows that a batch gives to an owner to the end of the owner's ordered list, in the order of their keys.
///
/// A save does the same with an object whose to-one relationship was assigned. Without it a new row would have no position, which is the
/// first, and an updated row would keep its position in the list of its previous owner.
///
/// It reads the last position of each list, and the previous owners of updated rows, but not the other members of a list.
package struct ListAppending {
    private let model: ObjectModel
    /// The keys of inserted rows, by the list that they belong to and its owner.
    private var inserted: [List: [Int64: [Int64]]] = [:]
    /// The updated rows with owners that may be their previous ones; a row that keeps its owner keeps its position.
    private var updated: [(reference: Reference, rows: [OwnedRow])] = []

    /// An ordered one-to-many relationship.
    package struct List: Hashable, Comparable {
        package let entityIndex: Int
        package let slot: Int

        package static func < (left: List, right: List) -> Bool {
            (left.entityIndex, left.slot) < (right.entityIndex, right.slot)
        }
    }

    /// The column in which an entity's rows refer to the owner of a list.
    package struct Reference {
        package let entityIndex: Int
        package let column: Int
        fileprivate let list: List
    }

    private struct OwnedRow {
        let key: Int64
        let owner: Int64
    }

    /// Finds the inserted and updated rows that have an owner with a list.
    package init(_ changes: ChangeSet, _ model: ObjectModel) {
        self.model = model
        for insertion in changes.inserts {
            for reference in references(of: insertion.entityIndex) {
                for row in ownedRows(insertion.rows, reference) {
                    inserted[reference.list, default: [:]][row.owner, default: []].append(row.key)
                }
            }
        }
        for update in changes.updates {
            for reference in references(of: update.entityIndex)
            where update.columns.contains(reference.column) {
                let rows = ownedRows(update.rows, reference)
                if !rows.isEmpty { updated.append((reference, rows)) }
            }
        }
    }

    /// Whether no row has an owner with a list.
    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty }

    private func references(of entityIndex: Int) -> [Reference] {
        model.layouts[entityIndex].properties.compactMap { property in
            guard let relationship = property.relationship, let slot = relationship.inverseSlot,
                let column = property.columns.first,
                let inverse = model.layouts[relationship.destinationIndex].properties[slot].relationship,
                inverse.description.isOrdered
            else { return nil }
            let list = List(entityIndex: inverse.sourceIndex, slot: slot)
            return Reference(entityIndex: entityIndex, column: column, list: list)
        }
    }

    private func ownedRows(_ rows: RowBatch, _ reference: Reference) -> [OwnedRow] {
        // The store rejects rows of another model and partially fetched rows.
        guard rows.model === model, rows.loadedColumns == nil else { return [] }
        return (0..<rows.count).compactMap { row in
            guard case .int(let owner) = rows.value(reference.column, at: row) else { return nil }
            return OwnedRow(key: rows.key(at: row), owner: owner)
        }
    }

    /// Returns the new positions.
    ///
    /// - Parameters:
    ///   - owners: Returns the owners of rows before the batch, by the keys of the rows.
    ///   - lastPositions: Returns the last position in the list of each of some owners before the batch; none for an empty list.
    package func moves<Failure: Error>(
        owners: (Reference, _ rows: [Int64]) throws(Failure) -> [Int64: Int64],
        lastPositions: (List, _ owners: [Int64]) throws(Failure) -> [Int64: Int64]
    ) throws(Failure) -> [ChangeSet.LinkChange] {
        var members = inserted
        for (reference, rows) in updated {
            let previous = try owners(reference, rows.map(\.key))
            for row in rows where row.owner != previous[row.key] {
                members[reference.list, default: [:]][row.owner, default: []].append(row.key)
            }
        }
        var changes: [ChangeSet.LinkChange] = []
        for (list, members) in members.sorted(by: { $0.key < $1.key }) {
            let owners = members.keys.sorted()
            let last = try lastPositions(list, owners)
            changes.append(
                ChangeSet.LinkChange(
                    entityIndex: list.entityIndex, slot: list.slot,
                    moved: owners.flatMap { Self.links(members[$0] ?? [], after: last[$0] ?? 0, of: $0) }))
        }
        return changes
    }

    private static func links(_ members: [Int64], after last: Int64, of owner: Int64) -> [RelatedRows.Link] {
        // If another program's positions leave no room, all new members share the last one, and their keys decide.
        let positions =
            ListPositions.run(from: last, by: ListPositions.gap, count: members.count)
            ?? Array(repeating: .max, count: members.count)
        return zip(members.sorted(), positions).map {
            RelatedRows.Link(owner: owner, target: $0, position: $1)
        }
    }
}

extension ChangeSet {
    /// Appends rows that a batch gives to owners to the owners' lists; see ``ListAppending``.
    func appendingToLists(over source: some RowSource) throws -> ChangeSet {
        var changes = self
        changes.links += try ListAppending(self, source.model).moves { reference, keys in
            var owners: [Int64: Int64] = [:]
            for key in keys {
                let row = try source.row(key, entityIndex: reference.entityIndex)
                owners[key] = row?.reference(reference.column)
            }
            return owners
        } lastPositions: { list, owners in
            var positions: [Int64: Int64] = [:]
            for owner in owners {
                let links = try source.links(of: owner, entityIndex: list.entityIndex, slot: list.slot)
                positions[owner] = links.last?.position
            }
            return positions
        }
        return changes
    }
}

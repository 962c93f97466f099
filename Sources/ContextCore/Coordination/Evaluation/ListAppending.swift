/// Moves rows that a batch gives to an owner to the end of the owner's ordered list, in the order of their keys.
///
/// A save does the same with an object whose to-one relationship was assigned. Without it a new row would have no position, which is the
/// first, and an updated row would keep its position in the list of its previous owner.
package struct ListAppending {
    private let model: ObjectModel
    /// The rows that may be new to a list, by the list's relationship and owner.
    private var members: [List: [Int64: [Int64]]] = [:]

    /// An ordered one-to-many relationship.
    private struct List: Hashable, Comparable {
        let entityIndex: Int
        let slot: Int

        static func < (left: List, right: List) -> Bool {
            (left.entityIndex, left.slot) < (right.entityIndex, right.slot)
        }
    }

    /// The number of owners per query.
    private static let ownersPerQuery = 1000

    /// Finds the inserted and updated rows that have an owner with a list.
    package init(_ changes: ChangeSet, _ model: ObjectModel) {
        self.model = model
        for insertion in changes.inserts {
            record(insertion.rows, Self.lists(of: model.layouts[insertion.entityIndex], model))
        }
        for update in changes.updates {
            let lists = Self.lists(of: model.layouts[update.entityIndex], model)
            record(update.rows, lists.filter { update.columns.contains($0.column) })
        }
    }

    /// Whether no row has an owner with a list.
    package var isEmpty: Bool { members.isEmpty }

    /// Returns the columns that refer to the owner of a list.
    private static func lists(of layout: EntityLayout, _ model: ObjectModel) -> [(column: Int, list: List)] {
        layout.properties.compactMap { property in
            guard let relationship = property.relationship, let slot = relationship.inverseSlot,
                let column = property.columns.first,
                let inverse = model.layouts[relationship.destinationIndex].properties[slot].relationship,
                inverse.description.isOrdered
            else { return nil }
            return (column, List(entityIndex: inverse.sourceIndex, slot: slot))
        }
    }

    private mutating func record(_ rows: RowBatch, _ lists: [(column: Int, list: List)]) {
        // The store rejects rows of another model and partially fetched rows.
        guard rows.model === model, rows.loadedColumns == nil else { return }
        for (column, list) in lists {
            for row in 0..<rows.count {
                guard case .int(let owner) = rows.value(column, at: row) else { continue }
                members[list, default: [:]][owner, default: []].append(rows.key(at: row))
            }
        }
    }

    /// Returns the new positions.
    ///
    /// - Parameter links: Returns the links of owners before the batch.
    package func moves<Failure: Error>(
        _ links: (RelatedPlan) throws(Failure) -> [RelatedRows.Link]
    ) throws(Failure) -> [ChangeSet.LinkChange] {
        var changes: [ChangeSet.LinkChange] = []
        for (list, members) in members.sorted(by: { $0.key < $1.key }) {
            var moved: [RelatedRows.Link] = []
            for owners in members.keys.sorted().chunks(ofCount: Self.ownersPerQuery) {
                let plan = RelatedPlan(
                    entityIndex: list.entityIndex, slot: list.slot, owners: Array(owners), includesRows: false
                )
                let stored = Dictionary(grouping: try links(plan), by: \.owner)
                for owner in owners {
                    moved += Self.appended(members[owner] ?? [], to: stored[owner] ?? [], of: owner)
                }
            }
            if moved.isEmpty { continue }
            changes.append(
                ChangeSet.LinkChange(entityIndex: list.entityIndex, slot: list.slot, moved: moved))
        }
        return changes
    }

    /// Returns links behind the stored ones for the members that have none yet.
    private static func appended(
        _ members: [Int64], to stored: [RelatedRows.Link], of owner: Int64
    ) -> [RelatedRows.Link] {
        let present = Set(stored.map(\.target))
        let new = members.filter { !present.contains($0) }.sorted()
        let last = stored.last?.position ?? 0
        // If another program's positions leave no room, all new members share the last one, and their keys decide.
        let positions =
            ListPositions.run(from: last, by: ListPositions.gap, count: new.count)
            ?? Array(repeating: .max, count: new.count)
        return zip(new, positions).map { RelatedRows.Link(owner: owner, target: $0, position: $1) }
    }
}

extension ChangeSet {
    /// Appends rows that a batch gives to owners to the owners' lists; see ``ListAppending``.
    func appendingToLists(over source: some RowSource) throws -> ChangeSet {
        var changes = self
        changes.links += try ListAppending(self, source.model).moves { plan in
            try plan.owners.flatMap {
                try source.links(of: $0, entityIndex: plan.entityIndex, slot: plan.slot)
            }
        }
        return changes
    }
}

/// The rows of a source as they will be when a change set is applied.
struct ChangedRows<Source: RowSource>: RowSource {
    let source: Source
    /// The new and changed rows.
    let rows: [RowKey: StoredRow]
    /// The deleted rows.
    let deleted: Set<RowKey>
    private let referrers: Referrers
    private let links: ChangedLinks

    init(_ changes: ChangeSet, over source: Source) {
        self.source = source
        var rows: [RowKey: StoredRow] = [:]
        var deleted: Set<RowKey> = []
        let model = source.model
        for batch in changes.inserts.map(\.rows) + changes.updates.map(\.rows) {
            for index in 0..<batch.count {
                let row = StoredRow(batch, index)
                rows[RowKey(row, in: model)] = row
            }
        }
        for deletion in changes.deletes {
            let root = model.layouts[deletion.entityIndex].rootIndex
            for key in deletion.keys { deleted.insert(RowKey(rootIndex: root, key: key)) }
        }
        self.rows = rows
        self.deleted = deleted
        referrers = Referrers(rows, model)
        links = ChangedLinks(changes.links, model)
    }

    var model: ObjectModel { source.model }
    /// The rows whose many-to-many links change.
    var ownersOfChangedLinks: Set<RowKey> { links.owners }

    func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws {
        try source.visit(criteria) { row in
            let place = RowKey(row, in: model)
            if deleted.contains(place) { return true }
            return try body(rows[place] ?? row)
        }
    }

    func row(_ key: Int64, entityIndex: Int) throws -> StoredRow? {
        let layout = model.layouts[entityIndex]
        let place = RowKey(rootIndex: layout.rootIndex, key: key)
        if deleted.contains(place) { return nil }
        guard let row = rows[place] else { return try source.row(key, entityIndex: entityIndex) }
        return layout.familyIndices.contains(row.entityIndex) ? row : nil
    }

    func links(of owner: Int64, entityIndex: Int, slot: Int) throws -> [RelatedRows.Link] {
        let stored = try source.links(of: owner, entityIndex: entityIndex, slot: slot)
        guard let relationship = model.layouts[entityIndex].properties[slot].relationship else {
            return stored
        }
        let root = model.layouts[relationship.destinationIndex].rootIndex
        let kept = stored.filter { !deleted.contains(RowKey(rootIndex: root, key: $0.target)) }
        guard let inverse = relationship.inverseSlot,
            let column = model.layouts[relationship.destinationIndex].properties[inverse].columns.first
        else {
            return links.applied(to: kept, of: owner, relationship, slot: slot).filter {
                !deleted.contains(RowKey(rootIndex: root, key: $0.target))
            }
        }
        let unmoved = kept.filter { rows[RowKey(rootIndex: root, key: $0.target)] == nil }
        let changedTargets = referrers.keys(of: owner, rootIndex: root, column: column).filter {
            let row = rows[RowKey(rootIndex: root, key: $0)]
            return row.map {
                model.layouts[relationship.destinationIndex].familyIndices.contains($0.entityIndex)
            }
                ?? false
        }
        return unmoved + changedTargets.map { RelatedRows.Link(owner: owner, target: $0) }
    }
}

/// The identity of a row: keys are unique in an inheritance tree.
struct RowKey: Hashable, Comparable {
    var rootIndex: Int
    var key: Int64

    static func < (left: RowKey, right: RowKey) -> Bool {
        (left.rootIndex, left.key) < (right.rootIndex, right.key)
    }
}

extension RowKey {
    init(_ row: StoredRow, in model: ObjectModel) {
        self.init(rootIndex: model.layouts[row.entityIndex].rootIndex, key: row.key)
    }
}

/// Finds the changed rows that refer to a key; each column is indexed when it is first used.
private final class Referrers {
    private struct Column: Hashable {
        let rootIndex: Int
        let column: Int
    }

    private let rows: [RowKey: StoredRow]
    private let model: ObjectModel
    private var indexes: [Column: [Int64: [Int64]]] = [:]

    init(_ rows: [RowKey: StoredRow], _ model: ObjectModel) {
        self.rows = rows
        self.model = model
    }

    func keys(of owner: Int64, rootIndex: Int, column: Int) -> [Int64] {
        let indexColumn = Column(rootIndex: rootIndex, column: column)
        if let index = indexes[indexColumn] { return index[owner] ?? [] }
        var index: [Int64: [Int64]] = [:]
        for (row, stored) in rows where row.rootIndex == rootIndex {
            guard column < model.layouts[stored.entityIndex].columns.count,
                case .reference = model.layouts[stored.entityIndex].columns[column].kind,
                let key = stored.reference(column)
            else { continue }
            index[key, default: []].append(row.key)
        }
        indexes[indexColumn] = index.mapValues { $0.sorted() }
        return indexes[indexColumn]?[owner] ?? []
    }
}

/// The links of many-to-many relationships that a change set adds and removes, in both directions.
private struct ChangedLinks {
    private struct OwnerSlot: Hashable {
        let sourceIndex: Int
        let slot: Int
        let owner: Int64
    }

    private var added: [OwnerSlot: Set<Int64>] = [:]
    private var removed: [OwnerSlot: Set<Int64>] = [:]
    private(set) var owners: Set<RowKey> = []

    init(_ changes: [ChangeSet.LinkChange], _ model: ObjectModel) {
        for change in changes {
            guard let relationship = model.layouts[change.entityIndex].properties[change.slot].relationship,
                relationship.description.isToMany,
                relationship.inverseSlot == nil || relationship.inverseIsToMany
            else { continue }
            for link in change.placed { add(link, relationship, change.slot, to: \.added, model) }
            for link in change.removed { add(link, relationship, change.slot, to: \.removed, model) }
        }
    }

    private mutating func add(
        _ link: RelatedRows.Link, _ relationship: RelationshipLayout, _ slot: Int,
        to changes: WritableKeyPath<Self, [OwnerSlot: Set<Int64>]>, _ model: ObjectModel
    ) {
        let ownerSlot = OwnerSlot(sourceIndex: relationship.sourceIndex, slot: slot, owner: link.owner)
        self[keyPath: changes][ownerSlot, default: []].insert(link.target)
        let destination = model.layouts[relationship.destinationIndex]
        owners.insert(
            RowKey(rootIndex: model.layouts[relationship.sourceIndex].rootIndex, key: link.owner))
        owners.insert(RowKey(rootIndex: destination.rootIndex, key: link.target))
        guard let inverse = relationship.inverseSlot,
            let source = destination.properties[inverse].relationship?.sourceIndex
        else { return }
        let back = OwnerSlot(sourceIndex: source, slot: inverse, owner: link.target)
        self[keyPath: changes][back, default: []].insert(link.owner)
    }

    /// Returns the stored links of an owner with added links and without removed ones.
    func applied(
        to stored: [RelatedRows.Link], of owner: Int64, _ relationship: RelationshipLayout, slot: Int
    ) -> [RelatedRows.Link] {
        let ownerSlot = OwnerSlot(sourceIndex: relationship.sourceIndex, slot: slot, owner: owner)
        guard added[ownerSlot] != nil || removed[ownerSlot] != nil else { return stored }
        let (gone, new) = (removed[ownerSlot] ?? [], added[ownerSlot] ?? [])
        let kept = stored.filter { !gone.contains($0.target) || new.contains($0.target) }
        let known = Set(kept.map(\.target))
        return kept
            + new.filter { !known.contains($0) }.sorted().map { RelatedRows.Link(owner: owner, target: $0) }
    }
}

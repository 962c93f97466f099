/// The rows of a source as they will be when a change set is applied.
struct ChangedRows<Source: RowSource>: RowSource {
    let source: Source
    /// The new and changed rows.
    let rows: [RowPlace: StoredRow]
    /// The deleted rows.
    let deleted: Set<RowPlace>
    private let referrers: Referrers
    private let links: ChangedLinks

    init(_ changes: ChangeSet, over source: Source) {
        self.source = source
        var rows: [RowPlace: StoredRow] = [:]
        var deleted: Set<RowPlace> = []
        let model = source.model
        for batch in changes.inserts.map(\.rows) + changes.updates.map(\.rows) {
            for index in 0..<batch.count {
                let row = StoredRow(batch, index)
                rows[RowPlace(row, in: model)] = row
            }
        }
        for deletion in changes.deletes {
            let root = model.layouts[deletion.entityIndex].rootIndex
            for key in deletion.keys { deleted.insert(RowPlace(rootIndex: root, key: key)) }
        }
        self.rows = rows
        self.deleted = deleted
        referrers = Referrers(rows, model)
        links = ChangedLinks(changes.links, model)
    }

    var model: ObjectModel { source.model }
    /// The rows whose many-to-many links change.
    var linkedOwners: Set<RowPlace> { links.owners }

    func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws {
        try source.visit(criteria) { row in
            let place = RowPlace(row, in: model)
            if deleted.contains(place) { return true }
            return try body(rows[place] ?? row)
        }
    }

    func row(_ key: Int64, entityIndex: Int) throws -> StoredRow? {
        let layout = model.layouts[entityIndex]
        let place = RowPlace(rootIndex: layout.rootIndex, key: key)
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
        let kept = stored.filter { !deleted.contains(RowPlace(rootIndex: root, key: $0.target)) }
        guard let inverse = relationship.inverseSlot,
            let column = model.layouts[relationship.destinationIndex].properties[inverse].columns.first
        else {
            return links.applied(to: kept, of: owner, relationship, slot: slot).filter {
                !deleted.contains(RowPlace(rootIndex: root, key: $0.target))
            }
        }
        let unmoved = kept.filter { rows[RowPlace(rootIndex: root, key: $0.target)] == nil }
        let here = referrers.keys(of: owner, rootIndex: root, column: column).filter {
            let row = rows[RowPlace(rootIndex: root, key: $0)]
            return row.map {
                model.layouts[relationship.destinationIndex].familyIndices.contains($0.entityIndex)
            }
                ?? false
        }
        return unmoved + here.map { RelatedRows.Link(owner: owner, target: $0) }
    }
}

/// The identity of a row: keys are unique in an inheritance tree.
struct RowPlace: Hashable, Comparable {
    var rootIndex: Int
    var key: Int64

    static func < (left: RowPlace, right: RowPlace) -> Bool {
        (left.rootIndex, left.key) < (right.rootIndex, right.key)
    }
}

extension RowPlace {
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

    private let rows: [RowPlace: StoredRow]
    private let model: ObjectModel
    private var known: [Column: [Int64: [Int64]]] = [:]

    init(_ rows: [RowPlace: StoredRow], _ model: ObjectModel) {
        self.rows = rows
        self.model = model
    }

    func keys(of owner: Int64, rootIndex: Int, column: Int) -> [Int64] {
        let place = Column(rootIndex: rootIndex, column: column)
        if let index = known[place] { return index[owner] ?? [] }
        var index: [Int64: [Int64]] = [:]
        for (row, stored) in rows where row.rootIndex == rootIndex {
            guard column < model.layouts[stored.entityIndex].columns.count,
                case .reference = model.layouts[stored.entityIndex].columns[column].kind,
                let key = stored.reference(column)
            else { continue }
            index[key, default: []].append(row.key)
        }
        known[place] = index.mapValues { $0.sorted() }
        return known[place]?[owner] ?? []
    }
}

/// The links of many-to-many relationships that a change set adds and removes, in both directions.
private struct ChangedLinks {
    private struct End: Hashable {
        let sourceIndex: Int
        let slot: Int
        let owner: Int64
    }

    private var added: [End: Set<Int64>] = [:]
    private var removed: [End: Set<Int64>] = [:]
    private(set) var owners: Set<RowPlace> = []

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
        to changes: WritableKeyPath<Self, [End: Set<Int64>]>, _ model: ObjectModel
    ) {
        let end = End(sourceIndex: relationship.sourceIndex, slot: slot, owner: link.owner)
        self[keyPath: changes][end, default: []].insert(link.target)
        let destination = model.layouts[relationship.destinationIndex]
        owners.insert(
            RowPlace(rootIndex: model.layouts[relationship.sourceIndex].rootIndex, key: link.owner))
        owners.insert(RowPlace(rootIndex: destination.rootIndex, key: link.target))
        guard let inverse = relationship.inverseSlot,
            let source = destination.properties[inverse].relationship?.sourceIndex
        else { return }
        let back = End(sourceIndex: source, slot: inverse, owner: link.target)
        self[keyPath: changes][back, default: []].insert(link.owner)
    }

    /// Returns the stored links of an owner with added links and without removed ones.
    func applied(
        to stored: [RelatedRows.Link], of owner: Int64, _ relationship: RelationshipLayout, slot: Int
    ) -> [RelatedRows.Link] {
        let end = End(sourceIndex: relationship.sourceIndex, slot: slot, owner: owner)
        guard added[end] != nil || removed[end] != nil else { return stored }
        let (gone, new) = (removed[end] ?? [], added[end] ?? [])
        let kept = stored.filter { !gone.contains($0.target) || new.contains($0.target) }
        let known = Set(kept.map(\.target))
        return kept
            + new.filter { !known.contains($0) }.sorted().map { RelatedRows.Link(owner: owner, target: $0) }
    }
}

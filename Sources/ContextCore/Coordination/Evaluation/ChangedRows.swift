/// The rows of a source as a change set would leave them, to be looked at before it is applied.
///
/// It knows of changed rows, not of changed links: those of many-to-many relationships are as they were, but for rows that go.
struct ChangedRows<Source: RowSource>: RowSource {
    let source: Source
    /// The new and changed rows.
    let rows: [RowPlace: StoredRow]
    /// The rows that go.
    let deleted: Set<RowPlace>
    private let referrers: Referrers

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
    }

    var model: ObjectModel { source.model }

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
        else { return kept }
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

/// Which row is meant: keys are unique in an inheritance tree.
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

/// Finds, among changed rows, those that refer to a key; each column is gone through once, when it is asked about.
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

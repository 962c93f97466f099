package import ContextCore

extension RowReader {
    /// The changes of a batch, with those of derived attributes that follow from them.
    package func derived(_ changes: ChangeSet) throws(StoreError) -> ChangeSet {
        if !mapping.model.derives(from: changes) { return changes }
        do {
            return try BatchDerivation(changes, over: BatchRows(self, changes)).completed()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.database, "What follows from a batch can't be worked out: \(error)")
        }
    }
}

/// The rows that derived attributes hang on when a batch changes others.
///
/// They are fetched together, by few statements for each relationship; what is asked for besides is fetched one by one, once.
final class BatchRows<Reader: RowReader>: RowSource {
    private struct Place: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    private struct End: Hashable {
        let owner: Place
        let slot: Int
    }

    private let reader: Reader
    /// The rows that were asked for; nil for those that aren't there.
    private var rows: [Place: StoredRow?] = [:]
    private var links: [End: [RelatedRows.Link]] = [:]

    var model: ObjectModel { reader.mapping.model }

    init(_ reader: Reader, _ changes: ChangeSet) throws(StoreError) {
        self.reader = reader
        let changed = try changedRows(changes)
        try loadMembers(of: changed + loadOwners(of: changed))
    }

    // MARK: In bulk

    /// The rows of a change set as they are and as they are to be.
    private func changedRows(_ changes: ChangeSet) throws(StoreError) -> [StoredRow] {
        var changed: [StoredRow] = []
        for batch in changes.inserts.map(\.rows) + changes.updates.map(\.rows) {
            changed += (0..<batch.count).map { StoredRow(batch, $0) }
        }
        for update in changes.updates { changed += try load(BatchKeys(update.rows), update.entityIndex) }
        for deletion in changes.deletes { changed += try load(deletion.keys, deletion.entityIndex) }
        return changed
    }

    /// Fetches the rows that may derive attributes over relationships in which some rows are.
    private func loadOwners(of members: [StoredRow]) throws(StoreError) -> [StoredRow] {
        var owners: [StoredRow] = []
        for (layout, rows) in groups(of: members) {
            for slot in layout.contributions {
                guard let relationship = layout.properties[slot].relationship else { continue }
                let keys =
                    if let column = layout.properties[slot].columns.first {
                        rows.compactMap { $0.reference(column) }
                    } else {
                        try loadLinks(of: rows, layout, slot).map(\.target)
                    }
                owners += try load(keys, relationship.destinationIndex)
            }
        }
        return owners
    }

    /// Fetches what is in the relationships that some rows derive attributes over.
    private func loadMembers(of owners: [StoredRow]) throws(StoreError) {
        for (layout, rows) in groups(of: owners) {
            for (_, derivation) in layout.derivations {
                guard let name = derivation.relationshipName, let slot = layout.property(named: name)?.slot
                else { continue }
                _ = try loadLinks(of: rows, layout, slot)
            }
        }
    }

    private func groups(of rows: [StoredRow]) -> [(EntityLayout, [StoredRow])] {
        Dictionary(grouping: rows, by: \.entityIndex).map { (model.layouts[$0], $1) }
    }

    private func load(_ keys: some Sequence<Int64>, _ entityIndex: Int) throws(StoreError) -> [StoredRow] {
        let root = model.layouts[entityIndex].rootIndex
        let wanted = Set(keys)
        let unknown = wanted.filter { rows[Place(rootIndex: root, key: $0)] == nil }.sorted()
        if !unknown.isEmpty {
            keep(try reader.rows(unknown, entityIndex: root))
            for key in unknown where rows[Place(rootIndex: root, key: key)] == nil {
                rows.updateValue(nil, forKey: Place(rootIndex: root, key: key))
            }
        }
        return wanted.compactMap { rows[Place(rootIndex: root, key: $0)] ?? nil }
    }

    private func keep(_ batch: RowBatch) {
        for index in 0..<batch.count {
            let row = StoredRow(batch, index)
            rows[Place(rootIndex: model.layouts[row.entityIndex].rootIndex, key: row.key)] = row
        }
    }

    private func loadLinks(
        of owners: [StoredRow], _ layout: EntityLayout, _ slot: Int
    ) throws(StoreError) -> [RelatedRows.Link] {
        let keys = Set(owners.map(\.key))
        let ends = keys.map { End(owner: Place(rootIndex: layout.rootIndex, key: $0), slot: slot) }
        let unknown = ends.filter { links[$0] == nil }
        if !unknown.isEmpty {
            let found = try reader.related(
                RelatedPlan(entityIndex: layout.index, slot: slot, owners: unknown.map(\.owner.key).sorted()))
            let byOwner = Dictionary(grouping: found.links, by: \.owner)
            for end in unknown { links[end] = byOwner[end.owner.key] ?? [] }
            if let batch = found.rows { keep(batch) }
        }
        return ends.flatMap { links[$0] ?? [] }
    }

    // MARK: One by one

    func row(_ key: Int64, entityIndex: Int) throws -> StoredRow? {
        try load([key], entityIndex).first.flatMap {
            model.layouts[entityIndex].familyIndices.contains($0.entityIndex) ? $0 : nil
        }
    }

    func links(of owner: Int64, entityIndex: Int, slot: Int) throws -> [RelatedRows.Link] {
        let end = End(owner: Place(rootIndex: model.layouts[entityIndex].rootIndex, key: owner), slot: slot)
        if let known = links[end] { return known }
        let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: [owner])
        let found = try reader.related(plan)
        if let batch = found.rows { keep(batch) }
        links[end] = found.links
        return found.links
    }

    func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws {
        guard let first = criteria.entityIndices.first else { return }
        let batch = try reader.fetch(FetchPlan(entityIndex: model.layouts[first].rootIndex))
        for index in 0..<batch.count where criteria.entityIndices.contains(batch.entityIndex(at: index)) {
            guard try body(StoredRow(batch, index)) else { return }
        }
    }
}

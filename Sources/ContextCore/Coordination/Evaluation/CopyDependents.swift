/// Finds the rows whose derived attributes copy, through to-one relationships, values of other rows that a change set changes, deletes, or
/// inserts.
struct CopyDependents<Source: RowSource> {
    private let changes: ChangeSet
    private let changed: ChangedRows<Source>

    init(_ changes: ChangeSet, over changed: ChangedRows<Source>) {
        self.changes = changes
        self.changed = changed
    }

    private var model: ObjectModel { changed.model }

    func owners() throws -> Set<RowKey> {
        var owners: Set<RowKey> = []
        for update in changes.updates {
            let keys = (0..<update.rows.count).map(update.rows.key)
            for copied in model.copiedProperties(of: update.entityIndex, columns: update.columns) {
                owners.formUnion(try self.owners(of: keys, copied))
            }
        }
        // A reference that can't dangle changes with the row, as an update of its own.
        let insertions = changes.inserts.map { ($0.entityIndex, (0..<$0.rows.count).map($0.rows.key)) }
        for (entityIndex, keys) in insertions + changes.deletes.map({ ($0.entityIndex, $0.keys) }) {
            for copied in model.propertiesCopiedByDanglingReferences(of: entityIndex) {
                owners.formUnion(try self.owners(of: keys, copied))
            }
        }
        return owners
    }

    /// Returns the rows that copy a property from the given rows.
    private func owners(of keys: [Int64], _ copied: CopiedProperty) throws -> [RowKey] {
        let owners = try copied.hops.reversed().reduce(Set(keys)) { try referrers(to: $0, $1) }
        let rootIndex = model.layouts[copied.ownerIndex].rootIndex
        return owners.map { RowKey(rootIndex: rootIndex, key: $0) }
    }

    /// Returns the rows that refer to the given rows by a to-one relationship.
    private func referrers(to keys: Set<Int64>, _ hop: CopiedProperty.Hop) throws -> Set<Int64> {
        let relationship = hop.relationship
        guard let inverse = relationship.inverseSlot else { return try search(keys, hop) }
        let destination = model.layouts[relationship.destinationIndex]
        var referrers: Set<Int64> = []
        for key in keys {
            if let column = destination.properties[inverse].columns.first {
                // A deleted row still has the reference.
                let row =
                    try changed.row(key, entityIndex: destination.index)
                    ?? changed.source.row(key, entityIndex: destination.index)
                if let referrer = row?.reference(column) { referrers.insert(referrer) }
            } else {
                let links = try changed.links(of: key, entityIndex: destination.index, slot: inverse)
                referrers.formUnion(links.map(\.target))
            }
        }
        return referrers
    }

    /// Searches all rows, because the relationship has no inverse.
    private func search(_ keys: Set<Int64>, _ hop: CopiedProperty.Hop) throws -> Set<Int64> {
        var referrers: Set<Int64> = []
        let source = model.layouts[hop.relationship.sourceIndex]
        try changed.visit(RowCriteria(entityIndices: source.familyIndices)) { row in
            let columns = model.layouts[row.entityIndex].properties[hop.slot].columns
            if let key = columns.first.flatMap(row.reference), keys.contains(key) {
                referrers.insert(row.key)
            }
            return true
        }
        return referrers
    }
}

extension ObjectModel {
    /// Whether derived attributes of other rows copy values that a change set changes.
    func copiesValues(from changes: ChangeSet) -> Bool {
        if copiedProperties.isEmpty { return false }
        return changes.updates.contains {
            !copiedProperties(of: $0.entityIndex, columns: $0.columns).isEmpty
        } || changes.wholeRowEntityIndices.contains { !propertiesCopiedByDanglingReferences(of: $0).isEmpty }
    }
}

extension ChangeSet {
    /// The entities whose rows the changes insert or delete, as indices in the model.
    var wholeRowEntityIndices: [Int] { inserts.map(\.entityIndex) + deletes.map(\.entityIndex) }
}

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
        // All other references to a deleted row are cleared in the same change set, by updates, which the loop above handles.
        for (copied, keys) in model.copiesOverDanglingReferences(from: changes) {
            owners.formUnion(try self.owners(of: keys, copied))
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
        if keys.isEmpty { return [] }
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
        } || !copiesOverDanglingReferences(from: changes).isEmpty
    }

    /// Returns the properties of deleted and returning rows that other rows copy over references which may exist without the row, with
    /// the keys of these rows.
    func copiesOverDanglingReferences(from changes: ChangeSet) -> [(copied: CopiedProperty, keys: [Int64])] {
        let all = propertiesCopiedOverDanglingReferences
        if all.isEmpty { return [] }
        let deleted = changes.deletes.flatMap { deletion in
            (all[deletion.entityIndex] ?? []).map { ($0, deletion.keys) }
        }
        let inserted = changes.inserts.flatMap { insertion in
            (all[insertion.entityIndex] ?? []).map { ($0, insertion.rows.keysOfReturningRows) }
        }
        return (deleted + inserted).filter { !$0.1.isEmpty }
    }
}

extension RowBatch {
    /// The keys of rows to insert that the store has had before; only these may have references already.
    fileprivate var keysOfReturningRows: [Int64] {
        (0..<count).filter { version(at: $0) != Self.firstVersion }.map(key)
    }
}

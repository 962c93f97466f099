/// Finds the rows whose derived attributes copy, through to-one relationships, values of other rows that a change set changes.
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
            for copied in model.copiedProperties(of: update.entityIndex, columns: update.columns) {
                var keys = Set((0..<update.rows.count).map(update.rows.key))
                for hop in copied.hops.reversed() { keys = try referrers(to: keys, hop) }
                let rootIndex = model.layouts[copied.ownerIndex].rootIndex
                owners.formUnion(keys.map { RowKey(rootIndex: rootIndex, key: $0) })
            }
        }
        return owners
    }

    /// Returns the rows that refer to the given rows by a to-one relationship.
    private func referrers(to keys: Set<Int64>, _ hop: CopiedProperty.Hop) throws -> Set<Int64> {
        let relationship = hop.relationship
        guard let inverse = relationship.inverseSlot else { return try search(keys, hop) }
        let destination = model.layouts[relationship.destinationIndex]
        var referrers: Set<Int64> = []
        for key in keys {
            if let column = destination.properties[inverse].columns.first {
                let row = try changed.row(key, entityIndex: destination.index)
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
    /// Whether derived attributes of other rows copy values that a change set updates.
    func copiesValues(from changes: ChangeSet) -> Bool {
        !copiedProperties.isEmpty
            && changes.updates.contains {
                !copiedProperties(of: $0.entityIndex, columns: $0.columns).isEmpty
            }
    }
}

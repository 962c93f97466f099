/// The rows on which derived attributes of other rows depend, fetched from a session.
///
/// Most are fetched in bulk, with few statements per relationship; all others are fetched one by one and cached.
package final class DerivationRows: RowSource {
    private struct RootKey: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    private struct OwnerSlot: Hashable {
        let owner: RootKey
        let slot: Int
    }

    private let session: any FetchingSession
    /// The fetched rows; nil for rows that don't exist.
    private var rows: [RootKey: StoredRow?] = [:]
    private var links: [OwnerSlot: [RelatedRows.Link]] = [:]

    package let model: ObjectModel

    package init(_ session: any FetchingSession, _ changes: ChangeSet, _ model: ObjectModel) throws {
        self.session = session
        self.model = model
        let changed = try changedRows(changes)
        try loadMembers(of: changed + loadOwners(of: changed))
        try loadReferrers(changes)
    }

    // MARK: In bulk

    /// Returns the rows of a change set in their old and new state.
    private func changedRows(_ changes: ChangeSet) throws -> [StoredRow] {
        var changed: [StoredRow] = []
        for batch in changes.inserts.map(\.rows) + changes.updates.map(\.rows) {
            changed += (0..<batch.count).map { StoredRow(batch, $0) }
        }
        for update in changes.updates {
            changed += try load((0..<update.rows.count).map(update.rows.key), update.entityIndex)
        }
        for deletion in changes.deletes { changed += try load(deletion.keys, deletion.entityIndex) }
        return changed
    }

    /// Fetches the rows that may have derived attributes over relationships which contain the given rows.
    private func loadOwners(of members: [StoredRow]) throws -> [StoredRow] {
        var owners: [StoredRow] = []
        for (layout, rows) in groups(of: members) {
            for slot in layout.contributions {
                guard let relationship = layout.properties[slot].relationship else { continue }
                let keys =
                    if let column = layout.properties[slot].columns.first {
                        rows.compactMap { $0.reference(column) }
                    } else {
                        try loadLinks(of: rows.map(\.key), layout, slot).map(\.target)
                    }
                owners += try load(keys, relationship.destinationIndex)
            }
        }
        return owners
    }

    /// Fetches the members of the relationships over which the given rows have derived attributes.
    private func loadMembers(of owners: [StoredRow]) throws {
        for (layout, rows) in groups(of: owners) {
            for (_, derivation) in layout.derivations {
                guard let name = derivation.relationshipName, let slot = layout.property(named: name)?.slot
                else { continue }
                _ = try loadLinks(of: rows.map(\.key), layout, slot)
            }
        }
    }

    /// Fetches the rows that refer to deleted or returning rows from which they copy values.
    private func loadReferrers(_ changes: ChangeSet) throws {
        for (copied, keys) in model.copiesOverDanglingReferences(from: changes) {
            guard let reference = copied.hops.last?.relationship, let inverse = reference.inverseSlot,
                reference.inverseIsToMany
            else { continue }
            _ = try loadLinks(of: keys, model.layouts[reference.destinationIndex], inverse)
        }
    }

    private func groups(of rows: [StoredRow]) -> [(EntityLayout, [StoredRow])] {
        Dictionary(grouping: rows, by: \.entityIndex).map { (model.layouts[$0], $1) }
    }

    private func load(_ keys: some Sequence<Int64>, _ entityIndex: Int) throws -> [StoredRow] {
        let root = model.layouts[entityIndex].rootIndex
        let wanted = Set(keys)
        let unknown = wanted.filter { rows[RootKey(rootIndex: root, key: $0)] == nil }.sorted()
        if !unknown.isEmpty {
            store(try session.rows(unknown, entityIndex: root))
            for key in unknown where rows[RootKey(rootIndex: root, key: key)] == nil {
                rows.updateValue(nil, forKey: RootKey(rootIndex: root, key: key))
            }
        }
        return wanted.compactMap { rows[RootKey(rootIndex: root, key: $0)] ?? nil }
    }

    private func store(_ batch: RowBatch) {
        for index in 0..<batch.count {
            let row = StoredRow(batch, index)
            rows[RootKey(rootIndex: model.layouts[row.entityIndex].rootIndex, key: row.key)] = row
        }
    }

    private func loadLinks(
        of owners: [Int64], _ layout: EntityLayout, _ slot: Int
    ) throws -> [RelatedRows.Link] {
        let ownerSlots = Set(owners).map {
            OwnerSlot(owner: RootKey(rootIndex: layout.rootIndex, key: $0), slot: slot)
        }
        let unknown = ownerSlots.filter { links[$0] == nil }
        if !unknown.isEmpty {
            let found = try session.related(
                RelatedPlan(entityIndex: layout.index, slot: slot, owners: unknown.map(\.owner.key).sorted()))
            let byOwner = Dictionary(grouping: found.links, by: \.owner)
            for ownerSlot in unknown { links[ownerSlot] = byOwner[ownerSlot.owner.key] ?? [] }
            if let batch = found.rows { store(batch) }
        }
        return ownerSlots.flatMap { links[$0] ?? [] }
    }

    // MARK: One by one

    package func row(_ key: Int64, entityIndex: Int) throws -> StoredRow? {
        try load([key], entityIndex).first.flatMap {
            model.layouts[entityIndex].familyIndices.contains($0.entityIndex) ? $0 : nil
        }
    }

    package func links(of owner: Int64, entityIndex: Int, slot: Int) throws -> [RelatedRows.Link] {
        let ownerSlot = OwnerSlot(
            owner: RootKey(rootIndex: model.layouts[entityIndex].rootIndex, key: owner), slot: slot)
        if let known = links[ownerSlot] { return known }
        let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: [owner])
        let found = try session.related(plan)
        if let batch = found.rows { store(batch) }
        links[ownerSlot] = found.links
        return found.links
    }

    package func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws {
        guard let first = criteria.entityIndices.first else { return }
        let batch = try session.fetch(FetchPlan(entityIndex: model.layouts[first].rootIndex))
        for index in 0..<batch.count where criteria.entityIndices.contains(batch.entityIndex(at: index)) {
            guard try body(StoredRow(batch, index)) else { return }
        }
    }
}

/// A source of rows: a session, or a backend's connection below its sessions.
package protocol FetchingSession {
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    func related(_ plan: RelatedPlan) throws -> RelatedRows
}

/// A read session as a source of rows.
struct SessionRowFetcher: FetchingSession {
    let session: any ReadSession

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try session.fetch(plan) }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try session.rows(keys, entityIndex: entityIndex)
    }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { try session.related(plan) }
}

extension ChangeSet {
    /// Applies the changes to a session, and computes derived attributes that the context left to its transaction.
    ///
    /// - Parameter capabilities: The capabilities of the session's store.
    func apply(
        to session: any WriteSession, _ model: ObjectModel, _ capabilities: StoreCapabilities
    ) throws -> SaveReceipt {
        guard defersDerivations, model.derives(from: self) else { return try session.apply(self) }
        let rows = try DerivationRows(SessionRowFetcher(session: session), self, model)
        let derived = DerivedChanges(self, over: rows)
        let completed =
            try capabilities.contains(.concurrentWrites) ? derived.completedWithLocks() : derived.completed()
        var receipt = try session.apply(completed)
        receipt.completed = [completed]
        return receipt
    }
}

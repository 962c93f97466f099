/// Applies a change set to a snapshot atomically.
struct ChangeApplication {
    private let changes: ChangeSet
    private var after: MemorySnapshot
    private var recorder: HistoryRecorder
    /// New values of unique constraints, which are checked after all changes are applied.
    private var claims: [UniqueClaim] = []

    private init(_ changes: ChangeSet, _ snapshot: MemorySnapshot) {
        self.changes = changes
        after = snapshot
        recorder = HistoryRecorder(snapshot.model)
    }

    /// Applies a change set to a snapshot, or returns all conflicts and leaves the snapshot unchanged.
    static func apply(_ changes: ChangeSet, to snapshot: inout MemorySnapshot) throws -> BatchReceipt {
        try changes.check(for: snapshot.model)
        let conflicts = MemoryVersionCheck(snapshot).conflicts(changes)
        if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
        var application = ChangeApplication(changes, snapshot)
        application.applyAll()
        let constraints = ConstraintCheck(before: snapshot, after: application.after)
        let collisions = constraints.conflicts(changes, application.claims)
        if !collisions.isEmpty { return BatchReceipt(changes: [], conflicts: collisions) }
        snapshot = application.after
        return BatchReceipt(changes: application.recorder.finish(application.after))
    }

    private mutating func applyAll() {
        for group in changes.inserts {
            for index in 0..<group.rows.count { insert(StoredRow(group.rows, index)) }
        }
        for group in changes.updates { update(group) }
        for group in changes.deletes {
            for key in group.keys { delete(key, group.entityIndex) }
        }
        for group in changes.links { unlink(group) }
        for group in changes.links { link(group) }
        for group in changes.links { move(group) }
    }

    // MARK: Rows

    private mutating func insert(_ row: StoredRow) {
        storeRow(row)
        recorder.recordRow(.insert, row)
    }

    private mutating func update(_ group: ChangeSet.Update) {
        let names = recorder.names(of: group.columns, entityIndex: group.entityIndex)
        for index in 0..<group.rows.count {
            let row = StoredRow(group.rows, index)
            storeRow(row)
            recorder.recordRow(.update, row, names)
        }
    }

    private mutating func storeRow(_ row: StoredRow) {
        let layout = after.model.layouts[row.entityIndex]
        after.tables[layout.rootIndex].upsert(row, layout, after.model, &claims)
    }

    private mutating func delete(_ key: Int64, _ entityIndex: Int) {
        let rootIndex = after.model.layouts[entityIndex].rootIndex
        guard let row = after.tables[rootIndex].remove(key, after.model) else { return }
        recorder.recordRow(.delete, row)
        for order in after.schema.memberships[row.entityIndex] {
            after.orders[order].removeValue(forKey: key)
        }
        for (slot, shape) in after.schema.relationships[row.entityIndex].enumerated() {
            guard case .links(let end) = shape else { continue }
            for link in after.links(of: key, entityIndex: row.entityIndex, slot: slot) {
                after.links.remove(owner: key, target: link.target, end: end)
                recorder.recordInverse(of: link, entityIndex: row.entityIndex, slot: slot)
            }
        }
    }

    // MARK: Links

    private mutating func unlink(_ group: ChangeSet.LinkChange) {
        for link in group.removed {
            let existed =
                switch after.schema.relationships[group.entityIndex][group.slot] {
                case .links(let end): after.links.remove(owner: link.owner, target: link.target, end: end)
                case .referring(_, _, let order?):
                    after.orders[order].removeValue(forKey: link.target) != nil
                case .referring, .reference, nil: false
                }
            if existed { recorder.recordLink(link, entityIndex: group.entityIndex, slot: group.slot) }
        }
    }

    private mutating func link(_ group: ChangeSet.LinkChange) {
        for link in group.placed {
            switch after.schema.relationships[group.entityIndex][group.slot] {
            case .links(let end): after.links.insertOrMove(link, end: end)
            case .referring(_, _, let order?): after.orders[order][link.target] = link.position
            case .referring, .reference, nil: continue
            }
            recorder.recordLink(link, entityIndex: group.entityIndex, slot: group.slot)
        }
    }

    /// Changes the positions of links that still exist.
    private mutating func move(_ group: ChangeSet.LinkChange) {
        for link in group.moved {
            let exists =
                switch after.schema.relationships[group.entityIndex][group.slot] {
                case .links(let end): after.links.move(link, end: end)
                case .referring(_, _, let order?): move(link, group, order)
                case .referring, .reference, nil: false
                }
            if exists { recorder.recordLink(link, entityIndex: group.entityIndex, slot: group.slot) }
        }
    }

    /// Changes the position of a row in a one-to-many relationship; returns false if it has another owner now.
    private mutating func move(_ link: RelatedRows.Link, _ group: ChangeSet.LinkChange, _ order: Int) -> Bool
    {
        let model = after.model
        guard let relationship = model.layouts[group.entityIndex].properties[group.slot].relationship,
            let inverse = relationship.inverseSlot,
            let row = after.row(link.target, entityIndex: relationship.destinationIndex),
            let column = model.layouts[row.entityIndex].properties[inverse].columns.first,
            row.reference(column) == link.owner
        else { return false }
        after.orders[order][link.target] = link.position
        return true
    }
}

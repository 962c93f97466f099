/// A session that reads one snapshot of an in-memory store.
class MemoryReadSession: ReadSession {
    let coordinator: InMemoryCoordinator
    /// The snapshot that the session reads; nil after the session has ended.
    final var snapshot: MemorySnapshot?
    /// The token of the snapshot with which the session was opened.
    final let base: StoreToken
    var token: StoreToken { base }
    final let transactionsAfterGap: [StoreToken] = []

    init(_ coordinator: InMemoryCoordinator, _ snapshot: MemorySnapshot) {
        self.coordinator = coordinator
        self.snapshot = snapshot
        base = coordinator.token(snapshot)
    }

    /// Returns the session's snapshot.
    ///
    /// - Throws: ``StoreError/Code/closed`` if the session has ended or the store is closed.
    final func visibleSnapshot() throws -> MemorySnapshot {
        guard let snapshot else {
            throw StoreError(
                .closed, "The session of the in-memory store has ended.", remedy: "Open a new session.")
        }
        try coordinator.checkIsOpen()
        return snapshot
    }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        try plan.evaluate(over: visibleSnapshot(), at: coordinator.now())
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try plan.evaluate(over: visibleSnapshot(), at: coordinator.now())
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        let snapshot = try visibleSnapshot()
        var builder = RowBatchBuilder(model: snapshot.model, expecting: keys.count, entityIndex: entityIndex)
        var seen: Set<Int64> = []
        for key in keys {
            guard let row = snapshot.row(key, entityIndex: entityIndex),
                keys.count == 1 || seen.insert(key).inserted
            else { continue }
            builder.append(row.index, of: row.batch)
        }
        return try builder.finish()
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        let snapshot = try visibleSnapshot()
        let layout = snapshot.model.layouts[plan.entityIndex]
        var links: [RelatedRows.Link] = []
        var seen: Set<Int64> = []
        for owner in plan.owners where seen.insert(owner).inserted {
            links += snapshot.links(of: owner, entityIndex: layout.index, slot: plan.slot)
        }
        guard plan.includesRows, let relationship = layout.properties[plan.slot].relationship else {
            return RelatedRows(links: links, rows: nil)
        }
        return RelatedRows(
            links: links, rows: try rows(links.map(\.target), entityIndex: relationship.destinationIndex))
    }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        let snapshot = try visibleSnapshot()
        let (history, token) = (snapshot.history, coordinator.token(snapshot))
        try request.after?.check(at: token, prunedThrough: history.prunedThrough)
        return history.transactions(request)
    }

    func end() { snapshot = nil }
}

extension RowBatchBuilder {
    /// Creates a builder with capacity for a number of rows that have little text.
    init(model: ObjectModel, expecting count: Int, entityIndex: Int, loadedColumns: Set<Int>? = nil) {
        let size = model.layouts[entityIndex].fields.rowSize
        self.init(
            model: model, loadedColumns: loadedColumns, rowCapacity: count * size, heapCapacity: count * 16)
    }
}

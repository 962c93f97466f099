/// A session that writes to an in-memory store; only one is open at a time.
///
/// It changes a copy of the last committed snapshot, which replaces that snapshot at the commit.
final class MemoryWriteSession: MemoryReadSession, WriteSession {
    /// The snapshot to restore when the savepoint is rolled back.
    private var savepoint: MemorySnapshot?
    /// The token of the last transaction; nil before the commit.
    private var committed: StoreToken?

    override var token: StoreToken { snapshot.map(coordinator.token) ?? base }

    var transactions: [StoreToken] { base.successors(through: committed ?? token) }

    deinit { rollback() }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        _ = try visibleSnapshot()
        return try coordinator.reserveKeys(count, rootIndex: rootIndex)
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        SaveReceipt(conflicts: try applyAndRecord(changes).conflicts)
    }

    /// Applies changes and appends them to the history.
    private func applyAndRecord(_ changes: ChangeSet) throws -> BatchReceipt {
        var working = try visibleSnapshot()
        let receipt = try ChangeApplication.apply(changes, to: &working)
        guard receipt.conflicts.isEmpty, !receipt.changes.isEmpty else { return receipt }
        coordinator.raiseNextKeys(of: changes)
        working.history.append { sequence in
            HistoryTransaction(
                token: StoreToken(storeID: coordinator.storeID, sequence: sequence), date: coordinator.now(),
                author: changes.author, contextName: changes.contextName, process: .current,
                changes: receipt.changes)
        }
        snapshot = working
        return receipt
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let work = try batch.changes(over: visibleSnapshot(), at: coordinator.now())
        guard work.conflicts.isEmpty else { return BatchReceipt(changes: [], conflicts: work.conflicts) }
        var receipt = try applyAndRecord(work.changes)
        if receipt.conflicts.isEmpty { receipt.unchangedRows = work.unchangedRows }
        return receipt
    }

    func userInfo() throws -> [String: String] { try visibleSnapshot().userInfo }

    func setUserInfo(_ userInfo: [String: String]) throws {
        var working = try visibleSnapshot()
        working.userInfo = userInfo
        snapshot = working
    }

    func pruneHistory(through token: StoreToken) throws {
        var working = try visibleSnapshot()
        try token.check(isOf: coordinator.storeID)
        working.history.prune(through: token.sequence)
        snapshot = working
    }

    func beginSavepoint(_ options: SessionOptions) throws { savepoint = try visibleSnapshot() }

    func endSavepoint(keepingWork: Bool) throws {
        _ = try visibleSnapshot()
        if !keepingWork, let savepoint { snapshot = savepoint }
        savepoint = nil
    }

    func commit() throws -> StoreToken {
        let working = try visibleSnapshot()
        snapshot = nil
        try coordinator.commit(working, after: base.sequence)
        let last = coordinator.token(working)
        committed = last
        return last
    }

    func rollback() {
        guard snapshot != nil else { return }
        snapshot = nil
        coordinator.rollback()
    }

    override func end() { rollback() }
}

import ContextCore

/// A store whose saves fail when a script wants that: at the n-th call of the save's write session.
final class FailingCoordinator: StoreCoordinator {
    private let store: any StoreCoordinator
    /// The number of calls before the failure; nil if no failure is planned.
    ///
    /// The saving thread and the script share it.
    private let remaining = Guarded<Int?>(nil)

    init(_ store: any StoreCoordinator) { self.store = store }

    var model: ObjectModel { store.model }
    var capabilities: StoreCapabilities { store.capabilities }
    func metadata() throws -> StoreMetadata { try store.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        try store.openReadSession(options)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        guard remaining.withLock({ $0 }) != nil else { return try store.openWriteSession(options) }
        try countCall()
        return FailingWriteSession(try store.openWriteSession(options)) { [weak self] in
            try self?.countCall()
        }
    }

    func close() { store.close() }

    /// Runs a save that fails at a call, unless it needs fewer calls.
    func failing<Result>(atCall number: Int, _ save: () throws -> Result) rethrows -> Result {
        remaining.withLock { $0 = number }
        defer { remaining.withLock { $0 = nil } }
        return try save()
    }

    private func countCall() throws {
        try remaining.withLock { remaining in
            guard let count = remaining else { return }
            if count == 0 { throw StoreError(.inputOutput, "The script lets this call fail.") }
            remaining = count - 1
        }
    }
}

/// A write session that may fail at each of its calls.
private final class FailingWriteSession: WriteSession {
    private let session: any WriteSession
    private let countCall: () throws -> Void

    init(_ session: any WriteSession, _ countCall: @escaping () throws -> Void) {
        (self.session, self.countCall) = (session, countCall)
    }

    private func counted<Result>(_ call: () throws -> Result) throws -> Result {
        try countCall()
        return try call()
    }

    var token: StoreToken { session.token }
    var transactionsAfterGap: [StoreToken] { session.transactionsAfterGap }
    var transactions: [StoreToken] { session.transactions }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try counted { try session.fetch(plan) } }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try counted { try session.rows(keys, entityIndex: entityIndex) }
    }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { try counted { try session.related(plan) } }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try counted { try session.aggregate(plan) }
    }
    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] { try session.history(request) }
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try counted { try session.reserveKeys(count, rootIndex: rootIndex) }
    }
    func apply(_ changes: ChangeSet) throws -> SaveReceipt { try counted { try session.apply(changes) } }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { try counted { try session.perform(batch) } }
    func userInfo() throws -> [String: String] { try session.userInfo() }
    func setUserInfo(_ userInfo: [String: String]) throws { try session.setUserInfo(userInfo) }
    func pruneHistory(through token: StoreToken) throws { try session.pruneHistory(through: token) }
    func beginSavepoint(_ options: SessionOptions) throws {
        try counted { try session.beginSavepoint(options) }
    }
    func endSavepoint(keepingWork: Bool) throws {
        try counted { try session.endSavepoint(keepingWork: keepingWork) }
    }
    func commit() throws -> StoreToken {
        do {
            return try counted { try session.commit() }
        } catch {
            session.rollback()
            throw error
        }
    }
    func rollback() { session.rollback() }
    func end() { session.end() }
}

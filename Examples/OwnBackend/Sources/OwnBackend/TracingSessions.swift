import ContextCore

/// Reports the calls of a read session.
class TracingReadSession: ReadSession {
    private let session: any ReadSession
    private let options: SessionOptions
    private let listener: TracingCoordinator.Listener

    init(
        _ session: any ReadSession, _ options: SessionOptions,
        _ listener: @escaping TracingCoordinator.Listener
    ) {
        self.session = session
        self.options = options
        self.listener = listener
    }

    final func report(_ event: String) { listener("\(options.identifier): \(event)") }

    final var token: StoreToken { session.token }
    final var transactionsAfterGap: [StoreToken] { session.transactionsAfterGap }

    final func fetch(_ plan: FetchPlan) throws -> RowBatch {
        let rows = try session.fetch(plan)
        report("fetched \(rows.count) rows")
        return rows
    }

    final func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        report("fetches \(keys.count) rows by key")
        return try session.rows(keys, entityIndex: entityIndex)
    }

    final func related(_ plan: RelatedPlan) throws -> RelatedRows {
        report("fetches related rows of \(plan.owners.count) rows")
        return try session.related(plan)
    }

    final func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        report("computes aggregates")
        return try session.aggregate(plan)
    }

    final func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try session.history(request)
    }

    final func end() { session.end() }
}

/// Reports the calls of a write session.
final class TracingWriteSession: TracingReadSession, WriteSession {
    private let session: any WriteSession

    init(
        _ session: any WriteSession, _ options: SessionOptions,
        _ listener: @escaping TracingCoordinator.Listener
    ) {
        self.session = session
        super.init(session, options, listener)
    }

    var transactions: [StoreToken] { session.transactions }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try session.reserveKeys(count, rootIndex: rootIndex)
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        let receipt = try session.apply(changes)
        report(receipt.conflicts.isEmpty ? "applied changes" : "found \(receipt.conflicts.count) conflicts")
        return receipt
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let receipt = try session.perform(batch)
        report("changed \(receipt.changes.count) rows by predicate")
        return receipt
    }

    func userInfo() throws -> [String: String] { try session.userInfo() }
    func setUserInfo(_ userInfo: [String: String]) throws { try session.setUserInfo(userInfo) }
    func pruneHistory(through token: StoreToken) throws { try session.pruneHistory(through: token) }

    func beginSavepoint(_ options: SessionOptions) throws { try session.beginSavepoint(options) }
    func endSavepoint(keepingWork: Bool) throws { try session.endSavepoint(keepingWork: keepingWork) }

    func commit() throws -> StoreToken {
        let token = try session.commit()
        report("committed transaction \(token.sequence)")
        return token
    }

    func rollback() {
        report("rolled back")
        session.rollback()
    }
}

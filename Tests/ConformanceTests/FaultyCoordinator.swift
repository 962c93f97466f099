import ContextCore

/// A store in memory that breaks one promise, to see whether the suite finds out.
final class FaultyCoordinator: StoreCoordinator {
    enum Defect: String, CaseIterable, Sendable {
        case forgetsLinks, forgetsDeletions, ignoresVersions, reusesKeys, ignoresOrders, putsNullsWrong
        case readsWhatIsNew, keepsWhatIsRolledBack, keepsWhatIsUndone, losesAuthors

        /// The topic with a case that has to fail.
        var topic: String {
            switch self {
            case .forgetsLinks: "relationships"
            case .forgetsDeletions: "deletion"
            case .ignoresVersions: "merging"
            case .reusesKeys, .keepsWhatIsRolledBack, .keepsWhatIsUndone: "sessions"
            case .ignoresOrders, .putsNullsWrong: "orders"
            case .readsWhatIsNew: "saving"
            case .losesAuthors: "history"
            }
        }
    }

    private let store: InMemoryCoordinator
    let defect: Defect

    init(_ defect: Defect, model: ObjectModel) {
        self.defect = defect
        store = InMemoryCoordinator(model: model)
    }

    var model: ObjectModel { store.model }
    var capabilities: StoreCapabilities { store.capabilities }
    func metadata() throws -> StoreMetadata { try store.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        FaultyReadSession(try store.openReadSession(options), defect) { [store] in
            try store.openReadSession(options)
        }
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        FaultyWriteSession(try store.openWriteSession(options), defect)
    }

    func close() { store.close() }
}

class FaultyReadSession: ReadSession {
    private var session: any ReadSession
    let defect: FaultyCoordinator.Defect
    private let reopen: () throws -> any ReadSession

    init(
        _ session: any ReadSession, _ defect: FaultyCoordinator.Defect,
        reopen: @escaping () throws -> any ReadSession
    ) {
        self.session = session
        self.defect = defect
        self.reopen = reopen
    }

    final var token: StoreToken { session.token }

    final func fetch(_ plan: FetchPlan) throws -> RowBatch {
        var plan = plan
        if defect == .readsWhatIsNew { session = try reopen() }
        if defect == .ignoresOrders { plan.order = [] }
        if defect == .putsNullsWrong {
            plan.order = plan.order.map {
                ResolvedSortKey($0.expression, isDescending: $0.isDescending, nullsFirst: !$0.nullsFirst)
            }
        }
        return try session.fetch(plan)
    }

    final func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try session.rows(keys, entityIndex: entityIndex)
    }

    final func related(_ plan: RelatedPlan) throws -> RelatedRows {
        if defect == .readsWhatIsNew { session = try reopen() }
        return try session.related(plan)
    }

    final func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try session.aggregate(plan) }
    final func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try session.history(request)
    }
    func end() { session.end() }
}

final class FaultyWriteSession: FaultyReadSession, WriteSession {
    private let session: any WriteSession

    init(_ session: any WriteSession, _ defect: FaultyCoordinator.Defect) {
        self.session = session
        super.init(session, defect) { session }
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        let keys = try session.reserveKeys(count, rootIndex: rootIndex)
        return defect == .reusesKeys ? 1..<Int64(count) + 1 : keys
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        var changes = changes
        switch defect {
        case .forgetsLinks: changes.links = []
        case .forgetsDeletions: changes.deletes = []
        case .losesAuthors: changes.author = nil
        case .ignoresVersions: changes.updates = try changes.updates.map(upToDate)
        default: break
        }
        return try session.apply(changes)
    }

    /// The same update, from whatever version the store has.
    private func upToDate(_ update: ChangeSet.Update) throws -> ChangeSet.Update {
        let keys = (0..<update.rows.count).map(update.rows.key)
        let stored = try session.rows(keys, entityIndex: update.entityIndex)
        let versions = Dictionary(
            uniqueKeysWithValues: (0..<stored.count).map { (stored.key(at: $0), stored.version(at: $0)) })
        var update = update
        update.baseVersions = zip(keys, update.baseVersions).map { versions[$0] ?? $1 }
        return update
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt { try session.perform(batch) }
    func setUserInfo(_ userInfo: [String: String]) throws { try session.setUserInfo(userInfo) }
    func pruneHistory(through token: StoreToken) throws { try session.pruneHistory(through: token) }
    func beginSavepoint(_ options: SessionOptions) throws { try session.beginSavepoint(options) }

    func endSavepoint(keepingWork: Bool) throws {
        try session.endSavepoint(keepingWork: keepingWork || defect == .keepsWhatIsUndone)
    }

    func commit() throws -> StoreToken { try session.commit() }

    func rollback() {
        if defect == .keepsWhatIsRolledBack { _ = try? session.commit() } else { session.rollback() }
    }

    override func end() {
        if defect == .keepsWhatIsRolledBack { _ = try? session.commit() } else { session.end() }
    }
}

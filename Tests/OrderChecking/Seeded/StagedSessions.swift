import ContextCore

/// A read session of a lane, which lets other threads run before each step.
class StagedReadSession: ReadSession {
    private var session: any ReadSession
    private let pending: (any ReadSession)?
    let coordinator: StagedCoordinator
    let lane: Int
    private var connection: StagedConnection?

    init(
        _ session: any ReadSession, _ coordinator: StagedCoordinator, _ lane: Int,
        _ connection: StagedConnection?, beside writer: (any ReadSession)? = nil
    ) {
        self.session = session
        self.coordinator = coordinator
        self.lane = lane
        self.connection = connection
        pending = writer
    }

    final var token: StoreToken { session.token }
    final var transactionsAfterGap: [StoreToken] { session.transactionsAfterGap }

    /// Lets other threads run before a step, and checks that the connection has not broken.
    final func step() throws {
        SeededScheduler.pause()
        try check()
    }

    /// Checks that the connection has not broken.
    final func check() throws { try connection?.check() }

    /// Returns the session that executes the next query.
    private func currentSession() throws -> any ReadSession {
        try step()
        if let pending { return (try? pending.rows([], entityIndex: 0)) == nil ? session : pending }
        if coordinator.bug == .readsWhatIsNew, !(self is StagedWriteSession) {
            session.end()
            session = try coordinator.reopen(lane)
        }
        return session
    }

    final func fetch(_ plan: FetchPlan) throws -> RowBatch { try currentSession().fetch(plan) }

    final func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try currentSession().rows(keys, entityIndex: entityIndex)
    }

    final func related(_ plan: RelatedPlan) throws -> RelatedRows { try currentSession().related(plan) }
    final func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try currentSession().aggregate(plan)
    }
    final func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try session.history(request)
    }
    func end() {
        session.end()
        returnConnection()
    }

    /// Records on the connection that the session is rolled back.
    final func recordRollback() { connection?.undo() }

    /// Returns the connection to the pool.
    final func returnConnection() {
        if let connection { coordinator.pool.returnConnection(connection) }
        connection = nil
    }
}

/// A write session of a lane, which lets other threads run before each step except the commit, which holds a lock.
final class StagedWriteSession: StagedReadSession, WriteSession {
    private let session: any WriteSession
    private var applied = 0
    private var hasEnded = false
    /// The average number of commits until one fails.
    private static let failureRate = 12
    /// The average number of change sets and commits until one meets contention.
    private static let contentionRate = 10

    init(
        _ session: any WriteSession, _ coordinator: StagedCoordinator, _ lane: Int,
        _ connection: StagedConnection?
    ) {
        self.session = session
        super.init(session, coordinator, lane, connection)
    }

    var transactions: [StoreToken] { session.transactions }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try session.reserveKeys(count, rootIndex: rootIndex)
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        try step()
        if meetsContention { throw Self.contention }
        var changes = changes
        if coordinator.bug == .dropsVersionCheck { changes = try changes.ignoringVersions(in: session) }
        applied += 1
        if coordinator.bug == .tearsCommit, applied % 2 == 0 { changes.inserts = [] }
        let receipt = try session.apply(changes)
        SeededScheduler.pause()
        return receipt
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt { try session.perform(batch) }
    func userInfo() throws -> [String: String] { try session.userInfo() }
    func setUserInfo(_ userInfo: [String: String]) throws { try session.setUserInfo(userInfo) }
    func pruneHistory(through token: StoreToken) throws { try session.pruneHistory(through: token) }

    func beginSavepoint(_ options: SessionOptions) throws {
        try coordinator.recordingRefusal(of: options) { try step() }
        try session.beginSavepoint(options)
    }

    func endSavepoint(keepingWork: Bool) throws {
        try step()
        try session.endSavepoint(keepingWork: keepingWork || coordinator.bug == .keepsSavepoint)
    }

    private var meetsContention: Bool {
        coordinator.isArmed && coordinator.scheduler.roll(Self.contentionRate) == 0
    }

    private static let contention = StoreError(.contention, "Another transaction was there.")

    func commit() throws -> StoreToken {
        // A commit takes long, so that other blocks join its group.
        coordinator.scheduler.advance(.milliseconds(1))
        endWriting()
        let token = session.token
        do {
            try check()
        } catch {
            session.rollback()
            throw error
        }
        if coordinator.isArmed, coordinator.scheduler.roll(Self.failureRate) == 0 {
            session.rollback()
            if coordinator.bug == .swallowsCommitError { return token }
            throw StoreError(.diskFull, "There is no room for this commit.")
        }
        if meetsContention {
            if coordinator.bug == .commitsAndContends { _ = try session.commit() } else { session.rollback() }
            throw Self.contention
        }
        if coordinator.bug == .losesCommit, coordinator.scheduler.roll(4) == 0 {
            session.rollback()
            return token
        }
        return try session.commit()
    }

    func rollback() { undo { session.rollback() } }

    // The connection isn't returned at the commit already: other threads may wait for its lock then, and can't run.
    override func end() {
        let isUndone = !hasEnded
        undo { session.end() }
        if isUndone, coordinator.bug == .keepsConnection { return }
        returnConnection()
    }

    private func undo(_ undo: () -> Void) {
        if hasEnded { return }
        endWriting()
        recordRollback()
        if coordinator.bug == .commitsRollback, applied > 0 { _ = try? session.commit() } else { undo() }
    }

    private func endWriting() {
        hasEnded = true
        coordinator.state.withLock { $0.writers[lane] = nil }
    }
}

import ContextCore

/// Stores in memory, one a lane, in which others may run between any two steps; it fails now and then, and has a bug, if that is wanted.
///
/// As long as it may fail, its sessions have connections of a pool.
///
/// An operation's name says which lane it is about: `"0:name"`. `state` is guarded by its mutex.
final class StagedCoordinator: StoreCoordinator {
    struct State {
        /// Sessions that were opened earlier, for a store whose reads are late.
        var earlier: [Int: StagedSession<any ReadSession>] = [:]
        /// The sessions that write, by lane.
        var writers: [Int: StagedSession<any WriteSession>] = [:]
        /// The operations that had no session when their turn came.
        var refused: Set<String> = []
        /// Whether it fails now and then, and has its bug.
        var isArmed = false
    }

    let scheduler: SeededScheduler
    private let planted: PlantedBug?
    let state = Guarded(State())
    private let lanes: [InMemoryCoordinator]
    private let isParallel: Bool
    let pool: StagedPool

    init(model: ObjectModel, lanes: Int, isParallel: Bool, scheduler: SeededScheduler, bug: PlantedBug?) {
        self.lanes = (0..<lanes).map { _ in InMemoryCoordinator(model: model) }
        self.isParallel = isParallel
        self.scheduler = scheduler
        planted = bug
        pool = StagedPool(scheduler, bug: bug)
    }

    var model: ObjectModel { lanes[0].model }
    var capabilities: StoreCapabilities {
        lanes[0].capabilities.union(isParallel || planted == .letsLanesRunAtOnce ? .concurrentWrites : [])
    }
    func metadata() throws -> StoreMetadata { try lanes[0].metadata() }
    func close() {
        pool.close()
        for lane in lanes { lane.close() }
    }

    /// Lets it fail now and then from here on, and have its bug; or lets it be as it should.
    func arm(_ isArmed: Bool) { state.withLock { $0.isArmed = isArmed } }

    var isArmed: Bool { state.withLock { $0.isArmed } }
    var bug: PlantedBug? { isArmed ? planted : nil }

    private func lane(_ options: SessionOptions) -> Int {
        options.identifier.split(separator: ":").first.flatMap { Int($0) } ?? 0
    }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        SeededScheduler.pause()
        let connection = try connect(options)
        let lane = lane(options)
        let session = try opened(connection) { try lanes[lane].openReadSession(options) }
        if bug == .readsWhatIsPending, let writer = state.withLock({ $0.writers[lane] }) {
            return StagedReadSession(session, self, lane, connection, beside: writer.session)
        }
        guard bug == .readsWhatIsOld else { return StagedReadSession(session, self, lane, connection) }
        let held = StagedSession(session: session)
        let earlier = state.withLock { state in
            defer { state.earlier[lane] = held }
            return state.earlier[lane]
        }
        let old = try opened(connection) { try earlier?.session ?? lanes[lane].openReadSession(options) }
        return StagedReadSession(old, self, lane, connection)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        SeededScheduler.pause()
        let connection = try connect(options)
        let lane = lane(options)
        let session = try opened(connection) { try lanes[lane].openWriteSession(options) }
        let held = StagedSession(session: session)
        state.withLock { $0.writers[lane] = held }
        return StagedWriteSession(session, self, lane, connection)
    }

    private func connect(_ options: SessionOptions) throws -> StagedConnection? {
        try isArmed ? notingRefusal(of: options) { try pool.take(options) } : nil
    }

    /// Does what has to be done before an operation's block can run.
    func notingRefusal<Value>(of options: SessionOptions, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            state.withLock { _ = $0.refused.insert(options.identifier) }
            throw error
        }
    }

    /// Opens a session; its connection goes back where that fails.
    private func opened<Session>(_ connection: StagedConnection?, _ open: () throws -> Session) throws
        -> Session
    {
        do {
            return try open()
        } catch {
            if let connection { pool.giveBack(connection) }
            throw error
        }
    }

    /// Opens another session on a lane, as it is now.
    func reopen(_ lane: Int) throws -> any ReadSession {
        try lanes[lane].openReadSession(SessionOptions(identifier: "reopened"))
    }
}

/// A session that others may come to.
// @unchecked: the threads of a seeded scheduler run one at a time.
struct StagedSession<Session>: @unchecked Sendable {
    let session: Session
}

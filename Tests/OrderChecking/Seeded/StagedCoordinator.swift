import ContextCore

/// A coordinator with an in-memory store per lane, which lets other threads run between any two steps, fails at random, and can have a bug.
///
/// While it is armed, so that it may fail, its sessions have connections of a pool.
///
/// The name of an operation begins with its lane, as in `"0:name"`. A mutex guards `state`.
final class StagedCoordinator: StoreCoordinator {
    struct State {
        /// The sessions that were opened last, for the bug of older snapshots.
        var earlier: [Int: StagedSession<any ReadSession>] = [:]
        /// The write sessions by lane.
        var writers: [Int: StagedSession<any WriteSession>] = [:]
        /// The names of operations that got no session at their turn.
        var refused: Set<String> = []
        /// Whether it fails at random and has its bug.
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

    /// Turns random failures and the bug on or off.
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
        try isArmed ? recordingRefusal(of: options) { try pool.borrow(options) } : nil
    }

    /// Runs a step that precedes an operation's block, and records the operation if the step fails.
    func recordingRefusal<Value>(of options: SessionOptions, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            state.withLock { _ = $0.refused.insert(options.identifier) }
            throw error
        }
    }

    /// Opens a session, and returns its connection to the pool if that fails.
    private func opened<Session>(_ connection: StagedConnection?, _ open: () throws -> Session) throws
        -> Session
    {
        do {
            return try open()
        } catch {
            if let connection { pool.returnConnection(connection) }
            throw error
        }
    }

    /// Opens another session of a lane, with the current snapshot.
    func reopen(_ lane: Int) throws -> any ReadSession {
        try lanes[lane].openReadSession(SessionOptions(identifier: "reopened"))
    }
}

/// A session that other threads can use.
// @unchecked: the threads of a seeded scheduler run one at a time.
struct StagedSession<Session>: @unchecked Sendable {
    let session: Session
}

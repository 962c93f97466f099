/// The way of all operations into a store: it gives out tickets, lets operations begin in their order, and closes the store.
///
/// Which operation may run is decided by a ``PipelineQueue``; this is the thin shell around it, which owns the lock and the
/// threads. `state` is guarded by its mutex, everything else is constant.
final class Pipeline: Sendable {
    let coordinator: any StoreCoordinator
    let identifiers: IdentifierSpaces
    /// Where it is said what was committed.
    let changes = ChangeBroadcaster()
    /// What publishes it.
    let feed: ChangeFeed
    /// Keys that are set aside for long-lived contexts.
    let keys = KeyReserve()
    /// The threads that blocks run on.
    let threads: any WorkThreads
    /// The threads that contexts run on.
    ///
    /// There are as many as operations may run at once, and ``StoreOptions/spareContextThreads`` more. Contexts wait in
    /// a queue for one.
    let contextThreads: ContextThreads
    /// Where tasks run that ask for much, a little at a time.
    let taskThreads: TaskThreads
    /// Runs the completions of operations in the order of submission.
    let completions = Completions()
    /// How long a context may make no progress before a read that waits for it is given up; nil for any time.
    let deadlockTimeout: Duration?
    /// What it takes from outside.
    let surroundings: PipelineSurroundings
    /// What writes of a lane leave to each other.
    let lanes: Lanes
    /// Whether one write of this process runs at a time.
    let writesOneAtATime: Bool
    /// What pinned contexts hold.
    private let moments = HeldMoments()
    private let log: OperationLog?
    /// What becomes of an operation that doesn't say, when as many wait as may.
    private let whenFull: StoreOptions.WhenFull
    private let state: Guarded<PipelineState>
    /// Looks for what other processes commit.
    private let watch = Guarded<Task<Void, Never>?>(nil)

    init(
        _ coordinator: any StoreCoordinator, _ options: StoreOptions = StoreOptions(),
        _ surroundings: PipelineSurroundings = .system
    ) throws {
        self.coordinator = coordinator
        let rules = PipelineQueue.Rules(options, coordinator.capabilities)
        let start = try ChangeFeed.start(coordinator)
        identifiers = IdentifierSpaces(model: coordinator.model, storeID: start.storeID)
        // One more than operations can keep busy, so that nobody waits long to be told that he was refused.
        threads = surroundings.makeThreads("store", rules.readLimit + rules.writeLimit + 1)
        contextThreads = ContextThreads(
            surroundings, limit: rules.readLimit + rules.writeLimit + StoreOptions.spareContextThreads)
        taskThreads = TaskThreads(
            surroundings.makeThreads("task", rules.readLimit), now: surroundings.now)
        self.surroundings = surroundings
        deadlockTimeout = options.deadlockTimeout
        state = Guarded(PipelineState(rules))
        // In the exclusive discipline a write has ended, commit and all, before the next one begins.
        writesOneAtATime = rules.writeLimit == 1
        lanes = Lanes(groupsCommits: options.groupsCommits && !rules.isExclusive)
        log = options.operationLog
        whenFull = options.whenFull
        feed = ChangeFeed(coordinator, identifiers, changes, from: start)
        guard coordinator.capabilities.contains(.sharedByProcesses) else { return }
        watch.withLock { $0 = ChangeWatch.start(self, every: options.watchInterval) }
    }

    deinit {
        watch.withLock { $0?.cancel() }
        // Whoever works with the store keeps the pipeline, so nothing runs or waits any more.
        if state.withLock({ $0.isClosed }) { return }
        changes.close()
        contextThreads.close()
        taskThreads.close()
        threads.run { [coordinator] in coordinator.close() }
        threads.close()
    }

    // MARK: Operations

    /// Lets a task read on a thread of the pipeline, when its turn has come.
    ///
    /// The ticket is taken before the task suspends.
    func read<Value: Sendable>(
        _ label: OperationLabel, _ body: @Sendable () throws -> Value
    ) async throws -> Value {
        let place = takePlace(label, mayBlock: TaskThreads.mayBlock(in: #isolation))
        return try await place.watch.report { try await takeTurn(place) { _ in try body() } }
    }

    /// Reads on this thread, when its turn has come; until then the thread is blocked.
    func readAndWait<Value>(_ label: OperationLabel, _ body: () throws -> Value) throws -> Value {
        let watch = OperationWatch(label, log)
        return try HeldExecutor.request {
            try watch.report { try takeTurnAndWait(label, watch) { _ in try body() } }
        }
    }

    /// Lets a task do a write's work in the session of its lane, and returns when it is committed.
    func write(
        _ label: OperationLabel, _ work: @Sendable (any WriteShare) throws -> WriteOutcome
    ) async throws {
        let place = takePlace(label, mayBlock: TaskThreads.mayBlock(in: #isolation))
        let write = WriteTurn(self, label, heedsCancellation: true, freesThread: true)
        try await place.watch.report {
            let commit = try await takeTurn(place) { ticket in try write.run(ticket, work) }
            try await commit?.value()
        }
    }

    /// Does a write's work on this thread in the session of its lane, and returns when it is committed; until then the thread is
    /// blocked.
    func writeAndWait(
        _ label: OperationLabel, heedsCancellation: Bool = true,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws {
        let watch = OperationWatch(label, log)
        let write = WriteTurn(self, label, heedsCancellation: heedsCancellation)
        try HeldExecutor.request {
            try watch.report {
                try takeTurnAndWait(label, watch) { ticket in try write.run(ticket, work) }?.wait()
            }
        }
    }

    /// Lets a read happen on a thread of the pipeline when its turn has come, and tells what became of it.
    func read<Value: Sendable>(
        _ label: OperationLabel, _ body: @escaping @Sendable () throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let watch = OperationWatch(label, log)
        let turn = ToldTurn(self) { _ in
            watch.begin()
            return try body()
        } completion: {
            completion(watch.report($0))
        }
        _ = submit(label, turn)
    }

    /// Lets a write's work be done on a thread of the pipeline when its turn has come, and tells what became of it and its commit.
    func write(
        _ label: OperationLabel,
        _ work: @escaping @Sendable (any WriteShare) throws -> WriteOutcome,
        completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let watch = OperationWatch(label, log)
        let write = WriteTurn(self, label, heedsCancellation: true)
        let turn = ToldTurn(self) { ticket in
            watch.begin()
            return try write.run(ticket, work)
        } completion: { [threads] result in
            guard case .success(let commit?) = result else {
                return completion(watch.report(result.map { _ in }))
            }
            commit.tell(releasingOn: threads) { completion(watch.report($0)) }
        }
        _ = submit(label, turn)
    }

    /// Takes the next place in the order of submission, for a task to come to; where the task may block its thread and nobody is before
    /// it, it need not come.
    private func takePlace(_ label: OperationLabel, mayBlock: Bool) -> PipelinePlace {
        let watch = OperationWatch(label, log)
        if mayBlock, let ticket = beginAtOnce(label) {
            return PipelinePlace(executor: nil, ticket: ticket, watch: watch)
        }
        let executor = TurnExecutor(self)
        return PipelinePlace(executor: executor, ticket: submit(label, executor), watch: watch)
    }

    private func takeTurn<Value: Sendable>(
        _ place: PipelinePlace, _ body: @Sendable (PipelineTicket) throws -> Value
    ) async throws -> Value {
        guard let executor = place.executor else { return try run(place.ticket, place.watch, body) }
        let turn = TaskTurn(executor)
        return try await withTaskCancellationHandler {
            try await turn.run {
                place.watch.begin()
                // Before the task goes on: what it asks for next may come before this thread is done.
                defer { noteEnd(place.ticket) }
                return try body(place.ticket)
            }
        } onCancel: {
            cancel(place.ticket)
        }
    }

    private func takeTurnAndWait<Value>(
        _ label: OperationLabel, _ watch: OperationWatch, _ body: (PipelineTicket) throws -> Value
    ) throws -> Value {
        if let held = HeldSession.current(of: self) { throw held.refusal(of: label.description) }
        if let ticket = beginAtOnce(label) { return try run(ticket, watch, body) }
        let turn = ThreadTurn()
        let ticket = submit(label, turn)
        try turn.wait()
        return try run(ticket, watch, body)
    }

    /// Runs an operation that has begun on the thread that asked for it.
    private func run<Value>(
        _ ticket: PipelineTicket, _ watch: OperationWatch, _ body: (PipelineTicket) throws -> Value
    ) rethrows -> Value {
        watch.begin()
        defer { finish(ticket) }
        return try body(ticket)
    }

    /// The present moment.
    func now() -> ContinuousClock.Instant { surroundings.now() }

    /// Whether the store is closed or about to be.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// What waits and what runs, in the order of submission.
    var operations: [OperationInfo] { state.withLock { $0.operations(at: .now) } }

    /// Cancels what waits under a name, and says how many that were.
    func cancel(named identifier: String) -> Int {
        let (steps, count) = state.withLock { $0.cancel(named: identifier) }
        carryOut(steps)
        return count
    }

    /// Opens a session that a context keeps until it lets it go, within a turn of its own.
    func holdMoment(name: String) throws -> HeldMoment {
        let moment = try HeldMoment(coordinator, name: name)
        moments.add(moment)
        return moment
    }

    /// Ends such a session when there is a turn for it; whoever lets it go may be on any thread, and doesn't wait.
    func letGo(_ moment: HeldMoment, name: String) {
        let turn = ToldTurn(self, { [moments] _ in moments.end(moment) }, completion: { _ in })
        _ = submit(OperationLabel(kind: .read, identifier: name, isHousekeeping: true), turn)
    }

    /// Lets an operation begin that nobody is before; nil where it has to wait for its turn.
    private func beginAtOnce(_ label: OperationLabel) -> PipelineTicket? {
        state.withLock { $0.beginAtOnce(label) }
    }

    private func submit(_ label: OperationLabel, _ turn: any PipelineTurn) -> PipelineTicket {
        let heedsLimit =
            !label.isHousekeeping && !label.isRepeated && (label.whenFull ?? whenFull) == .fail
        let (ticket, steps) = state.withLock { $0.submit(label, turn, heedsLimit: heedsLimit) }
        carryOut(steps)
        return ticket
    }

    /// Cancels an operation that waits.
    func cancel(_ ticket: PipelineTicket) {
        carryOut(state.withLock { $0.cancel(ticket) })
    }

    /// An operation pauses before it is done again: until the pause ends, it waits like any other, but in no line.
    func beginPause(_ label: OperationLabel, _ pause: PipelinePause) -> PipelineTicket {
        let (ticket, steps) = state.withLock { $0.beginPause(label, pause) }
        carryOut(steps)
        return ticket
    }

    /// The time of a pause has passed.
    func endPause(_ ticket: PipelineTicket) {
        carryOut(state.withLock { $0.endPause(ticket) })
    }

    /// An operation that might have been done again isn't: it has come to its end.
    func end(_ operation: RepeatedOperation) { state.withLock { $0.end(operation) } }

    /// It is known what has become of writes that have left their places before their commit.
    func settle(_ tickets: [PipelineTicket]) {
        if !tickets.isEmpty { state.withLock { $0.settle(tickets) } }
    }

    /// Does something on the thread of an operation when that has left its place, before the store is closed.
    func whenFinished(_ ticket: PipelineTicket, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenFinished(ticket, work) }
    }

    /// Whether any write waits for its turn.
    var hasWaitingWrites: Bool { state.withLock { $0.hasWaitingWrites } }

    /// A write has come to its end, and leaves its place to the next one of its lane; false where none could begin at once.
    ///
    /// - Parameter freesThread: Whether the calling thread is about to look for work. One that waits, or tells somebody, is not.
    func handOver(
        _ ticket: PipelineTicket, lane: String?, awaitsCommit: Bool, freesThread: Bool,
        if isWanted: @Sendable (OperationLabel) -> Bool
    ) -> Bool {
        let steps = state.withLock {
            $0.handOver(ticket, lane: lane, awaitsCommit: awaitsCommit, if: isWanted)
        }
        guard let steps else { return false }
        if freesThread { threads.willBeFree() }
        carryOut(steps)
        return true
    }

    /// The work of an operation that a task waits for has come to its end, and its thread is about to be free for another.
    ///
    /// Not so where it has others to tell first, which takes its time and may run the program's code. Where the
    /// executor that the task goes on with runs it inside of `enqueue`, and the task waits on this thread for the store
    /// or a context, the thread takes it back.
    private func noteEnd(_ ticket: PipelineTicket) {
        if !state.withLock({ $0.hasToTell(ticket) }) { threads.willBeFree() }
    }

    /// An operation has come to its end.
    func finish(_ ticket: PipelineTicket) {
        carryOut(state.withLock { $0.finish(ticket) })
    }

    /// Does what was decided, without the lock.
    private func carryOut(_ steps: [PipelineState.Step]) {
        for step in steps {
            switch step {
            case .begin(let turn, let ticket): turn.begin(ticket)
            case .refuse(let turn, let error): turn.refuse(error)
            case .tell(let tell): tell()
            case .close: threads.run { [self] in closeCoordinator() }
            }
        }
    }

    // MARK: Closing

    /// Lets what runs come to its end, refuses what waits, and closes the store.
    ///
    /// `completion` runs when all that is done and the threads are gone.
    func close(_ completion: @escaping @Sendable () -> Void) {
        watch.withLock { $0?.cancel() }
        let (steps, isClosed) = state.withLock { $0.close(completion) }
        carryOut(steps)
        if isClosed { completion() }
    }

    private func closeCoordinator() {
        moments.endAll()
        coordinator.close()
        changes.close()
        contextThreads.close()
        taskThreads.close()
        threads.close { [self] in
            for completion in state.withLock({ $0.finishClosing() }) { completion() }
        }
    }
}

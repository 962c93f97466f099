/// Runs all operations of a store: it issues tickets, starts operations in order, and closes the store.
///
/// ``PipelineQueue`` decides which operation runs; this class owns the lock and the threads. `state` is
/// guarded by its mutex, everything else is constant.
final class Pipeline: Sendable {
    let coordinator: any StoreCoordinator
    let identifiers: IdentifierSpaces
    /// Distributes committed changes to listeners.
    let changes = ChangeBroadcaster()
    /// Publishes commits of this process and of others to `changes`.
    let feed: ChangeFeed
    /// Keys reserved for long-lived contexts.
    let keys = KeyReserve()
    /// The threads that blocks run on.
    let threads: any BlockingThreadPool
    /// The threads that contexts run on.
    ///
    /// Their number is the number of operations that may run at once, plus ``StoreOptions/spareContextThreads``.
    let contextThreads: ContextThreads
    /// The task executor for tasks that make many small requests; see ``Store/taskExecutor``.
    let taskThreads: TaskThreads
    /// Runs the completions of operations in the order of submission.
    let completions = Completions()
    /// How long a context may make no progress before a request that waits for it fails; nil for no limit.
    let deadlockTimeout: Duration?
    /// The injected clock, threads, timers and randomness.
    let environment: PipelineEnvironment
    /// The open write groups, by lane.
    let lanes: Lanes
    /// Whether one write of this process runs at a time.
    let writesOneAtATime: Bool
    /// The open sessions of pinned contexts.
    private let pinnedSessions = PinnedSessions()
    /// The name of the store's database; nil if it has none.
    private let databaseName: DatabaseName?
    private let log: OperationLog?
    /// What happens to an operation without its own `overflow` if the queue is full.
    private let overflow: StoreOptions.OverflowPolicy
    private let state: Guarded<PipelineState>
    /// The task that polls for commits of other processes.
    private let watch = Guarded<Task<Void, Never>?>(nil)

    init(
        _ coordinator: any StoreCoordinator, _ options: StoreOptions = StoreOptions(),
        _ environment: PipelineEnvironment = .system
    ) throws {
        self.coordinator = coordinator
        let rules = PipelineQueue.Rules(options, coordinator.capabilities)
        let start = try ChangeFeed.start(coordinator)
        identifiers = IdentifierSpaces(model: coordinator.model, storeID: start.storeID)
        // One thread more than running operations use, so that the errors of rejected operations are delivered promptly.
        threads = environment.makeThreads("store", rules.readLimit + rules.writeLimit + 1)
        contextThreads = ContextThreads(
            environment, limit: rules.readLimit + rules.writeLimit + StoreOptions.spareContextThreads)
        taskThreads = TaskThreads(
            environment.makeThreads("task", rules.readLimit), now: environment.now)
        self.environment = environment
        deadlockTimeout = options.deadlockTimeout
        state = Guarded(PipelineState(rules))
        // In the exclusive discipline each write commits before the next one starts, so commits can't be shared.
        writesOneAtATime = rules.writeLimit == 1
        lanes = Lanes(groupsCommits: options.groupsCommits && !rules.isExclusive)
        databaseName = (coordinator as? any ReportingCoordinator)?.databaseName
        log = options.operationLog
        overflow = options.overflow
        feed = ChangeFeed(coordinator, identifiers, changes, from: start)
        guard coordinator.capabilities.contains(.sharedByProcesses) else { return }
        watch.withLock { $0 = ChangeWatch.start(self, every: options.watchInterval) }
    }

    deinit {
        watch.withLock { $0?.cancel() }
        // Every operation retains the pipeline, so none is running or waiting.
        if isClosed { return }
        changes.close()
        contextThreads.close()
        taskThreads.close()
        threads.run { [coordinator] in coordinator.close() }
        threads.close()
    }

    // MARK: Operations

    /// Runs a read of a task on a thread of the pipeline once its turn has come.
    ///
    /// The ticket is issued before the task suspends.
    func read<Value: Sendable>(
        _ label: OperationLabel, _ body: @Sendable () throws -> Value
    ) async throws -> Value {
        let submission = issueTicket(label, mayBlock: TaskThreads.mayBlock(in: #isolation))
        return try await submission.timer.report { try await runInTurn(submission) { _ in try body() } }
    }

    /// Runs a read on the calling thread, which blocks until its turn has come.
    func readAndWait<Value>(_ label: OperationLabel, _ body: () throws -> Value) throws -> Value {
        let timer = makeTimer(label)
        return try RunningExecutor.request {
            try timer.report { try runInTurnAndWait(label, timer) { _ in try body() } }
        }
    }

    /// Runs a task's write in the group of its lane, and returns once it is committed.
    func write(
        _ label: OperationLabel, _ work: @Sendable (any WriteShare) throws -> WriteOutcome
    ) async throws {
        let submission = issueTicket(label, mayBlock: TaskThreads.mayBlock(in: #isolation))
        let write = WriteTurn(self, label, isCancellable: true, freesThread: true)
        try await submission.timer.report {
            let commit = try await runInTurn(submission) { ticket in try write.run(ticket, work) }
            try await commit?.value()
        }
    }

    /// Runs a write on the calling thread in the group of its lane; blocks until the write is committed.
    func writeAndWait(
        _ label: OperationLabel, isCancellable: Bool = true,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws {
        let timer = makeTimer(label)
        let write = WriteTurn(self, label, isCancellable: isCancellable)
        try RunningExecutor.request {
            try timer.report {
                try runInTurnAndWait(label, timer) { ticket in try write.run(ticket, work) }?.wait()
            }
        }
    }

    /// Runs a read on a thread of the pipeline once its turn has come, and passes its result to a completion.
    func read<Value: Sendable>(
        _ label: OperationLabel, _ body: @escaping @Sendable () throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let timer = makeTimer(label)
        let turn = CompletionTurn(self) { _ in
            try timer.runTurn(body)
        } completion: {
            completion(timer.report($0))
        }
        _ = submit(label, turn)
    }

    /// Runs a write on a thread of the pipeline once its turn has come, and passes the outcome of the commit to a completion.
    func write(
        _ label: OperationLabel,
        _ work: @escaping @Sendable (any WriteShare) throws -> WriteOutcome,
        completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let timer = makeTimer(label)
        let write = WriteTurn(self, label, isCancellable: true)
        let turn = CompletionTurn(self) { ticket in
            try timer.runTurn { try write.run(ticket, work) }
        } completion: { [threads] result in
            guard case .success(let commit?) = result else {
                return completion(timer.report(result.map { _ in }))
            }
            commit.whenCompleted(releasingOn: threads) { completion(timer.report($0)) }
        }
        _ = submit(label, turn)
    }

    private func makeTimer(_ label: OperationLabel) -> OperationTimer {
        guard let log else { return OperationTimer() }
        state.withLock { $0.registerMeasuredOperation() }
        return OperationTimer(label, log, databaseName) { [self] in
            performSteps(state.withLock { $0.recordReport() })
        }
    }

    /// Issues a ticket for a task's operation, which starts at once on the task's thread if that thread may block and the queue is empty.
    private func issueTicket(_ label: OperationLabel, mayBlock: Bool) -> PipelineSubmission {
        let timer = makeTimer(label)
        if mayBlock, let ticket = startImmediately(label) {
            return PipelineSubmission(executor: nil, ticket: ticket, timer: timer)
        }
        let executor = TurnExecutor(self)
        return PipelineSubmission(executor: executor, ticket: submit(label, executor), timer: timer)
    }

    private func runInTurn<Value: Sendable>(
        _ submission: PipelineSubmission, _ body: @Sendable (PipelineTicket) throws -> Value
    ) async throws -> Value {
        guard let executor = submission.executor else {
            return try run(submission.ticket, submission.timer, body)
        }
        let turn = TaskTurn(executor)
        return try await withTaskCancellationHandler {
            try await turn.run {
                // Announced before the task resumes, because the task may submit its next operation before this thread is done.
                defer { announceFreeThread(submission.ticket) }
                return try submission.timer.runTurn { try body(submission.ticket) }
            }
        } onCancel: {
            cancel(submission.ticket)
        }
    }

    private func runInTurnAndWait<Value>(
        _ label: OperationLabel, _ timer: OperationTimer, _ body: (PipelineTicket) throws -> Value
    ) throws -> Value {
        if let running = RunningOperation.current(of: self) {
            throw running.deadlockError(of: label.description)
        }
        if let ticket = startImmediately(label) { return try run(ticket, timer, body) }
        let turn = ThreadTurn()
        let ticket = submit(label, turn)
        try turn.wait()
        return try run(ticket, timer, body)
    }

    /// Runs a started operation on the calling thread.
    private func run<Value>(
        _ ticket: PipelineTicket, _ timer: OperationTimer, _ body: (PipelineTicket) throws -> Value
    ) throws -> Value {
        defer { finish(ticket) }
        return try timer.runTurn { try body(ticket) }
    }

    /// Returns the current time.
    func now() -> ContinuousClock.Instant { environment.now() }

    /// Whether the store is closed or closing.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Whether the store is closed: all of its operations have ended.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The waiting and running operations, in the order of submission.
    var operations: [OperationInfo] { state.withLock { $0.operations(at: .now) } }

    /// The numbers of waiting and running operations, and the use of the database.
    var statistics: StoreStatistics {
        var statistics = state.withLock { $0.statistics() }
        statistics.database = (coordinator as? any ReportingCoordinator)?.databaseStatistics
        return statistics
    }

    /// Cancels the waiting operations with a name, and returns their number.
    func cancel(named identifier: String) -> Int {
        let (steps, count) = state.withLock { $0.cancel(named: identifier) }
        performSteps(steps)
        return count
    }

    /// Opens a session for a pinned context, which stays open until ``releasePinnedSession(_:name:)``.
    func pinSnapshot(name: String) throws -> PinnedSession {
        let pinnedSession = try PinnedSession(coordinator, name: name)
        pinnedSessions.add(pinnedSession)
        return pinnedSession
    }

    /// Ends the session of a pinned context in a later turn; it may be called on any thread, and doesn't block.
    func releasePinnedSession(_ pinnedSession: PinnedSession, name: String) {
        let turn = CompletionTurn(
            self, { [pinnedSessions] _ in pinnedSessions.endSession(pinnedSession) }, completion: { _ in })
        _ = submit(OperationLabel(kind: .read, identifier: name, isCleanup: true), turn)
    }

    /// Starts an operation at once if none is queued ahead of it; returns nil if it must wait.
    private func startImmediately(_ label: OperationLabel) -> PipelineTicket? {
        state.withLock { $0.startImmediately(label) }
    }

    private func submit(_ label: OperationLabel, _ turn: any PipelineTurn) -> PipelineTicket {
        let enforcesLimit =
            !label.isCleanup && !label.isRetry && (label.overflow ?? overflow) == .fail
        let (ticket, steps) = state.withLock { $0.submit(label, turn, enforcesLimit: enforcesLimit) }
        performSteps(steps)
        return ticket
    }

    /// Cancels a waiting operation.
    func cancel(_ ticket: PipelineTicket) {
        performSteps(state.withLock { $0.cancel(ticket) })
    }

    /// Starts the delay before a retry; until it ends, the operation counts as waiting, but is in no queue.
    func startRetryDelay(_ label: OperationLabel, _ pause: RetryDelay) -> PipelineTicket {
        let (ticket, steps) = state.withLock { $0.startRetryDelay(label, pause) }
        performSteps(steps)
        return ticket
    }

    /// Ends the delay before a retry.
    func endRetryDelay(_ ticket: PipelineTicket) {
        performSteps(state.withLock { $0.endRetryDelay(ticket) })
    }

    /// Records that an operation has ended and won't be retried.
    func recordEnd(of operation: RetriedOperation) {
        performSteps(state.withLock { $0.recordEnd(of: operation) })
    }

    /// Removes writes whose shared commit has ended, and delivers their outcomes before the store may close.
    ///
    /// They are removed first, so that a caller that resumes doesn't find its own write among the operations.
    func removeCommitted(_ tickets: [PipelineTicket], deliveringOutcomes deliverOutcomes: () -> Void) {
        let steps = state.withLock { $0.removeCommitted(tickets) }
        deliverOutcomes()
        performSteps(steps)
    }

    /// Registers work that runs on an operation's thread after the operation has finished and before the store closes.
    func whenFinished(_ ticket: PipelineTicket, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenFinished(ticket, work) }
    }

    /// Whether any write waits for its turn.
    var hasWaitingWrites: Bool { state.withLock { $0.hasWaitingWrites } }

    /// Ends a write before its commit, and starts the next write of its lane in the same group.
    ///
    /// - Parameters:
    ///   - ticket: The ticket of the write.
    ///   - lane: The lane of the write.
    ///   - awaitsCommit: Whether the write waits for the group's commit; false for one that has failed.
    ///   - freesThread: Whether the calling thread is about to be free for other work.
    ///   - isWanted: Returns whether the next write may join the group.
    /// - Returns: Whether the next write has started; if not, the write is still running.
    func handOver(
        _ ticket: PipelineTicket, lane: String?, awaitsCommit: Bool, freesThread: Bool,
        if isWanted: @Sendable (OperationLabel) -> Bool
    ) -> Bool {
        let steps = state.withLock {
            $0.handOver(ticket, lane: lane, awaitsCommit: awaitsCommit, if: isWanted)
        }
        guard let steps else { return false }
        if freesThread { threads.willBeFree() }
        performSteps(steps)
        return true
    }

    /// Announces that the thread of a task's operation is about to be free.
    ///
    /// It announces nothing if the thread still delivers outcomes to other writes, which takes time and may run code of the program. If the
    /// task's next executor runs the task inside `enqueue`, and the task then blocks this thread, the thread withdraws the announcement
    /// (``ThreadCache/willBlock()``).
    private func announceFreeThread(_ ticket: PipelineTicket) {
        if !state.withLock({ $0.hasFollowUp(ticket) }) { threads.willBeFree() }
    }

    /// Records that an operation has ended.
    func finish(_ ticket: PipelineTicket) {
        performSteps(state.withLock { $0.finish(ticket) })
    }

    /// Performs steps without holding the lock.
    private func performSteps(_ steps: [PipelineState.Step]) {
        for step in steps {
            switch step {
            case .begin(let turn, let ticket): turn.start(ticket)
            case .refuse(let turn, let error): turn.refuse(error)
            case .runFollowUp(let runFollowUp): runFollowUp()
            case .close: threads.run { [self] in closeCoordinator() }
            }
        }
    }

    // MARK: Closing

    /// Closes the store after the running operations have ended; waiting operations fail.
    ///
    /// `completion` is called once the store is closed and its threads have ended.
    func close(_ completion: @escaping @Sendable () -> Void) {
        watch.withLock { $0?.cancel() }
        let (steps, isClosed) = state.withLock { $0.close(completion) }
        performSteps(steps)
        if isClosed { completion() }
    }

    /// Closes the store after the accepted operations have ended; later ones fail.
    ///
    /// `completion` is called once the store is closed and its threads have ended.
    func drain(_ completion: @escaping @Sendable () -> Void) {
        watch.withLock { $0?.cancel() }
        let (steps, isClosed) = state.withLock { $0.drain(completion) }
        performSteps(steps)
        if isClosed { completion() }
    }

    /// Waits until a store that is closing is closed.
    func waitUntilClosed() async {
        await withCheckedContinuation { continuation in drain { continuation.resume() } }
    }

    private func closeCoordinator() {
        pinnedSessions.endAllSessions()
        coordinator.close()
        changes.close()
        contextThreads.close()
        taskThreads.close()
        threads.close { [self] in
            for completion in state.withLock({ $0.finishClosing() }) { completion() }
        }
    }
}

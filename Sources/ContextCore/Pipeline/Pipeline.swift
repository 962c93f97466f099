import Synchronization

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
    let threads: ThreadCache
    /// The threads that contexts run on.
    ///
    /// There is one for each that has something to do, so that one that waits for another never keeps it from running.
    let contextThreads = ThreadCache(name: "context", limit: .max)
    private let state: Mutex<PipelineState>
    /// Looks for what other processes commit.
    private let watch = Mutex<Task<Void, Never>?>(nil)

    init(_ coordinator: any StoreCoordinator, readLimit: Int, watchInterval: Duration? = nil) throws {
        self.coordinator = coordinator
        identifiers = IdentifierSpaces(
            model: coordinator.model, storeID: try coordinator.metadata().storeID)
        // One more than operations can keep busy, so that nobody waits long to be told that he was refused.
        threads = ThreadCache(name: "store", limit: readLimit + 2)
        state = Mutex(PipelineState(readLimit: readLimit))
        feed = try ChangeFeed(coordinator, identifiers, changes)
        guard let watchInterval, coordinator.capabilities.contains(.sharedByProcesses) else { return }
        watch.withLock { $0 = ChangeWatch.start(self, every: watchInterval) }
    }

    deinit {
        watch.withLock { $0?.cancel() }
        // Whoever works with the store keeps the pipeline, so nothing runs or waits any more.
        if state.withLock({ $0.isClosed }) { return }
        changes.close()
        contextThreads.close()
        threads.run { [coordinator] in coordinator.close() }
        threads.close()
    }

    // MARK: Operations

    /// Lets a task run a block on a thread of the pipeline, when its turn has come.
    ///
    /// The ticket is taken before the task suspends.
    func run<Value: Sendable>(
        _ label: OperationLabel, _ body: @Sendable () throws -> Value
    ) async throws -> Value {
        let executor = TurnExecutor(self)
        let ticket = submit(label, executor)
        let turn = TaskTurn(executor)
        return try await withTaskCancellationHandler {
            try await turn.run(body)
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Runs a block on this thread, when its turn has come; until then the thread is blocked.
    func runAndWait<Value>(_ label: OperationLabel, _ body: () throws -> Value) throws -> Value {
        if let held = HeldSession.current(of: self) { throw held.refusal(of: label.description) }
        let turn = ThreadTurn()
        let ticket = submit(label, turn)
        try turn.wait()
        defer { finish(ticket, takesOver: false) }
        return try body()
    }

    /// Runs something on a thread of the pipeline when its turn has come, unless the store is closed before.
    func runLater(_ label: OperationLabel, _ body: @escaping @Sendable () -> Void) {
        _ = submit(label, LaterTurn(self, body))
    }

    private func submit(_ label: OperationLabel, _ turn: any PipelineTurn) -> PipelineTicket {
        let (ticket, steps) = state.withLock { $0.submit(label, turn) }
        carryOut(steps)
        return ticket
    }

    private func cancel(_ ticket: PipelineTicket) {
        carryOut(state.withLock { $0.cancel(ticket) })
    }

    /// An operation has come to its end; `takesOver` says that its thread is about to be free for another.
    func finish(_ ticket: PipelineTicket, takesOver: Bool) {
        carryOut(state.withLock { $0.finish(ticket) }, takesOver: takesOver)
    }

    /// Does what was decided, without the lock.
    private func carryOut(_ steps: [PipelineState.Step], takesOver: Bool = false) {
        var takesOver = takesOver
        for step in steps {
            switch step {
            case .begin(let turn, let ticket):
                turn.begin(ticket, takesOver: takesOver)
                takesOver = false
            case .refuse(let turn, let error): turn.refuse(error)
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
        coordinator.close()
        changes.close()
        contextThreads.close()
        threads.close { [self] in
            for completion in state.withLock({ $0.finishClosing() }) { completion() }
        }
    }
}

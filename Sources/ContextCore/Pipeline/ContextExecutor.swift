/// Lets one piece of work of a context run after the other, in the order in which they came, and off Swift's cooperative pool.
///
/// Tasks, and blocks that nobody waits for, run on a thread that is lent for as long as there is something to do. A thread that waits
/// for its turn runs its work itself: the executor is handed to it, and passed on by it afterwards.
///
/// `state` is guarded by its mutex.
final class ContextExecutor: SerialExecutor {
    private enum Entry {
        case work(Work)
        case thread(WaitingThread)
    }

    /// What runs on a thread that is lent for it.
    private enum Work {
        case task(UnownedJob)
        case block(@Sendable () -> Void)
    }

    private struct State {
        var entries = FIFOQueue<Entry>()
        /// Whether somebody runs, or is about to run, what comes next.
        var isBusy = false
        /// The thread that does.
        var owner: ThreadIdentity?
    }

    /// What the context is called in errors.
    let name: String
    private let threads: any WorkThreads
    private let state = Guarded(State())

    init(name: String, threads: any WorkThreads) {
        self.name = name
        self.threads = threads
    }

    /// Whether the calling thread runs the context's work.
    var isCurrent: Bool { HeldExecutor.isHeld(self) }
    /// The thread that runs the context's work now.
    var owner: ThreadIdentity? { state.withLock { $0.owner } }

    func checkIsolated() {
        requirePrecondition(
            isCurrent, "Context \"\(name)\" was touched outside its perform and performAndWait.")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Tasks

    func enqueue(_ job: consuming ExecutorJob) { submit(.task(UnownedJob(job))) }

    /// Runs something that is no part of a task when its turn has come.
    func enqueue(_ block: @escaping @Sendable () -> Void) { submit(.block(block)) }

    private func submit(_ work: Work) {
        let isIdle = state.withLock { state in
            defer { state.isBusy = true }
            if state.isBusy { state.entries.append(.work(work)) }
            return !state.isBusy
        }
        if isIdle { run(work) }
    }

    /// Runs work on a thread that is lent for it, and then what comes next.
    private func run(_ work: Work) {
        threads.run { [self] in
            state.withLock { $0.owner = .current }
            runHere(work)
            while case .work(let next) = next(runner: .current) { runHere(next) }
        }
    }

    private func runHere(_ work: Work) {
        HeldExecutor.hold(self) {
            switch work {
            case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .block(let block): block()
            }
        }
    }

    // MARK: Threads

    /// Runs something on the calling thread when its turn has come, until when the thread is blocked.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock`` when its turn could never come.
    func runAndWait<Value>(_ body: () throws -> Value) throws -> Value {
        if isCurrent { return try body() }
        let holder = HeldExecutor.current
        if let holder { try ExecutorWaits.shared.begin(self, from: holder) }
        waitForTurn()
        if holder != nil { ExecutorWaits.shared.end() }
        defer { passOn() }
        return try HeldExecutor.hold(self, body)
    }

    private func waitForTurn() {
        let waiting = state.withLock { state -> WaitingThread? in
            if state.isBusy {
                let waiting = WaitingThread()
                state.entries.append(.thread(waiting))
                return waiting
            }
            state.isBusy = true
            state.owner = .current
            return nil
        }
        waiting?.signal.wait()
    }

    /// Gives the executor to whoever comes next.
    private func passOn() {
        if case .work(let work) = next(runner: nil) { run(work) }
    }

    /// Takes what comes next: a task, which the runner will run, or a thread, which is told that it may go on.
    private func next(runner: ThreadIdentity?) -> Entry? {
        let next = state.withLock { state in
            let next = state.entries.popFirst()
            switch next {
            case .work: state.owner = runner
            case .thread(let waiting): state.owner = waiting.identity
            case nil:
                state.owner = nil
                state.isBusy = false
            }
            return next
        }
        if case .thread(let waiting) = next { waiting.signal.signal() }
        return next
    }
}

/// A thread that waits for its turn.
private final class WaitingThread: Sendable {
    let identity = ThreadIdentity.current
    let signal = ThreadSignal()
}

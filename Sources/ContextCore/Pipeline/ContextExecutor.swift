/// Lets one piece of work of a context run after the other, in the order in which they came, and off Swift's cooperative pool.
///
/// Tasks, and blocks that nobody waits for, run on a thread that is lent for as long as there is something to do, and
/// no other context waits for a thread. A thread that waits for its turn runs its work itself: the executor is handed
/// to it, and passed on by it afterwards.
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
        /// How many threads are among them.
        var threadCount = 0
        /// Whether somebody runs, or is about to run, what comes next.
        var isBusy = false
        /// The thread that does.
        var owner: ContextThread?
        /// How many pieces of work have begun.
        var turn: UInt64 = 0
        /// The block that runs, where it was submitted.
        var block: CallSite?
        /// How many requests to the store run, and how many have ended.
        var requests: (running: Int, ended: UInt64) = (0, 0)
        /// What was observed when a wait for the context was given up last.
        var stall: [ContextProgress]?

        /// A thread begins the next piece of work; nil for one that is still to be lent.
        mutating func begin(_ thread: ContextThread?) {
            owner = thread
            turn += 1
            block = nil
        }
    }

    /// What the context is called in errors.
    let name: String
    private let threads: ContextThreads
    private let state = Guarded(State())

    init(name: String, threads: ContextThreads) {
        self.name = name
        self.threads = threads
    }

    /// Whether the calling thread runs the context's work.
    var isCurrent: Bool { HeldExecutor.isHeld(self) }
    /// The thread that runs the context's work now.
    var owner: ThreadIdentity? { state.withLock { $0.owner?.identity } }

    /// The thread that runs the context's work, and what can be told of its progress.
    ///
    /// Nil when there is none, and while the thread uses the store, however long that takes.
    var progress: (owner: ThreadIdentity, progress: ContextProgress)? {
        state.withLock { state in
            guard let owner = state.owner, state.requests.running == 0 else { return nil }
            let progress = ContextProgress(
                turn: state.turn, requests: state.requests.ended, processorTime: owner.clock.time)
            return (owner.identity, progress)
        }
    }

    /// Records that the context's work begins a request to the store.
    func beginRequest() { state.withLock { $0.requests.running += 1 } }

    /// Records that the context's work has ended a request to the store.
    func endRequest() {
        state.withLock {
            $0.requests.running -= 1
            $0.requests.ended += 1
        }
    }

    /// Sets which block the context's work runs, for errors, and returns the one that it ran before.
    func setBlock(_ site: CallSite?) -> CallSite? {
        state.withLock { state in
            defer { state.block = site }
            return state.block
        }
    }

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

    /// Runs work on a thread that is lent for it, when there is one, and then what comes next.
    private func run(_ work: Work) {
        let turn: @Sendable () -> Void = { [self] in runInOrder(work) }
        // What enqueues a job doesn't hold the executor, and the job may be all that needs it. The closure holds it until here.
        withExtendedLifetime(turn) {
            let hasThread = threads.run(for: self, turn)
            // A thread that came before this found no request to expedite; one that comes now finds it.
            if !hasThread, state.withLock({ $0.threadCount > 0 }) { threads.expedite(self) }
        }
    }

    /// Runs work on this thread, and then what comes next, until there is nothing or another context waits for a
    /// thread.
    private func runInOrder(_ work: Work) {
        state.withLock { $0.begin(.current) }
        runHere(work)
        while true {
            let isLast = threads.isContended
            guard case .work(let next) = next(runner: isLast ? nil : .current) else { return }
            if isLast { return run(next) }
            runHere(next)
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
    /// - Parameter limit: How long the work before it may make no progress; nil for any time.
    /// - Throws: ``StoreError/Code/wouldDeadlock`` when its turn could never come, as far as can be seen.
    func runAndWait<Value>(limit: Duration? = nil, _ body: () throws -> Value) throws -> Value {
        if isCurrent { return try body() }
        try waitForTurn(limit, holding: HeldExecutor.current)
        defer { passOn() }
        return try HeldExecutor.hold(self, body)
    }

    private func waitForTurn(_ limit: Duration?, holding holder: ContextExecutor?) throws {
        if let holder { try ExecutorWaits.shared.begin(self, from: holder) }
        defer { if holder != nil { ExecutorWaits.shared.end() } }
        guard let waiting = enqueueThread() else { return }
        threads.expedite(self)
        if let limit, ScheduledThread.current == nil {
            try wait(waiting, limit)
        } else {
            waiting.signal.wait()
        }
    }

    /// Takes the turn at once, or the next place in the order.
    private func enqueueThread() -> WaitingThread? {
        state.withLock { state in
            if state.isBusy {
                let waiting = WaitingThread()
                state.entries.append(.thread(waiting))
                state.threadCount += 1
                return waiting
            }
            state.isBusy = true
            state.begin(.current)
            return nil
        }
    }

    /// Waits for the turn, and gives up when the work before it makes no progress.
    private func wait(_ waiting: WaitingThread, _ limit: Duration) throws {
        var detector = StallDetector(
            limit, known: state.withLock { $0.stall }, first: ExecutorWaits.shared.progress(of: self))
        while !waiting.signal.wait(detector.interval.interval) {
            let progress = ExecutorWaits.shared.progress(of: self)
            guard detector.isStalled(progress), remove(waiting, stalledAt: progress) else { continue }
            throw stallError(limit)
        }
    }

    /// Takes a thread out of the order; false where its turn has just come.
    private func remove(_ waiting: WaitingThread, stalledAt progress: [ContextProgress]?) -> Bool {
        state.withLock { state in
            let isRemoved = state.entries.removeFirst { entry in
                if case .thread(let thread) = entry { thread === waiting } else { false }
            }
            if isRemoved {
                state.threadCount -= 1
                state.stall = progress
            }
            return isRemoved
        }
    }

    private func stallError(_ limit: Duration) -> StoreError {
        let work = state.withLock { $0.block }.map { "block submitted at \($0)" } ?? "work"
        return StoreError(
            .wouldDeadlock,
            "This thread waited for context \"\(name)\", whose \(work) made no progress for \(limit): it used neither the "
                + "processor nor the store, and probably waits for this thread.",
            remedy:
                "Don't wait for other threads in the block, as DispatchQueue.main.sync does: return its values, and use them "
                + "after its await or in its completion. Where it waits for something else, do that before the block, or raise "
                + "StoreOptions.deadlockTimeout.")
    }

    /// Gives the executor to whoever comes next.
    private func passOn() {
        if case .work(let work) = next(runner: nil) { run(work) }
    }

    /// Takes what comes next: a task, which the runner will run, or a thread, which is told that it may go on.
    private func next(runner: ContextThread?) -> Entry? {
        let next = state.withLock { state in
            let next = state.entries.popFirst()
            switch next {
            case .work: state.begin(runner)
            case .thread(let waiting):
                state.threadCount -= 1
                state.begin(waiting.thread)
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
    let thread = ContextThread.current
    let signal = ThreadSignal()
}

/// A thread that runs a context's work, as other threads see it.
private struct ContextThread: Sendable {
    let identity: ThreadIdentity
    let clock: ThreadClock

    static var current: ContextThread { ContextThread(identity: .current, clock: .current) }
}

/// The serial executor of a context: runs its jobs one at a time, in the order of submission, outside Swift's cooperative pool.
///
/// Tasks and submitted blocks run on a thread borrowed from ``ContextThreads``, which the context keeps while it has work and no other
/// context waits for a thread. A thread that calls `performAndWait` runs its own work: the executor hands its turn to that thread,
/// which passes it on afterwards.
///
/// `state` is guarded by its mutex.
final class ContextExecutor: SerialExecutor, IsolatingExecutor {
    private enum Entry {
        case work(Work)
        case thread(WaitingThread)
    }

    /// Work that runs on a borrowed thread.
    private enum Work {
        case task(UnownedJob)
        case block(@Sendable () -> Void)
    }

    private struct State {
        var entries = FIFOQueue<Entry>()
        /// The number of waiting threads among the entries.
        var threadCount = 0
        /// Whether a thread runs work, or is about to.
        var isBusy = false
        /// The thread that runs work.
        var owner: ContextThread?
        /// The number of pieces of work started so far.
        var turn: UInt64 = 0
        /// The call site of the running block.
        var block: CallSite?
        /// The number of store requests in progress, and of those that have ended.
        var requests: (running: Int, ended: UInt64) = (0, 0)
        /// The progress that was observed when a thread last gave up waiting for the context.
        var stall: [ContextProgress]?

        /// Records that the next piece of work starts; the thread is nil until one has been borrowed.
        mutating func begin(_ thread: ContextThread?) {
            owner = thread
            turn += 1
            block = nil
        }
    }

    /// The context's name, in errors.
    let name: String
    private let threads: ContextThreads
    private let state = Guarded(State())

    init(name: String, threads: ContextThreads) {
        self.name = name
        self.threads = threads
    }

    /// Whether the calling thread runs the context's work.
    var isCurrent: Bool { RunningExecutor.isRunning(self) }
    /// The thread that currently runs the context's work.
    var owner: ThreadIdentity? { state.withLock { $0.owner?.identity } }

    /// The thread that runs the context's work, and its observable progress; nil if no thread does.
    ///
    /// It is also nil while a store request is in progress, because waiting for the store never counts as a stall.
    var progress: (owner: ThreadIdentity, progress: ContextProgress)? {
        state.withLock { state in
            guard let owner = state.owner, state.requests.running == 0 else { return nil }
            let progress = ContextProgress(
                turn: state.turn, requests: state.requests.ended, processorTime: owner.clock.time)
            return (owner.identity, progress)
        }
    }

    /// Records that the context's work starts a store request.
    func beginRequest() { state.withLock { $0.requests.running += 1 } }

    /// Records that the context's work has ended a store request.
    func endRequest() {
        state.withLock {
            $0.requests.running -= 1
            $0.requests.ended += 1
        }
    }

    /// Sets the call site of the running block, for errors, and returns the previous one.
    func setBlock(_ site: CallSite?) -> CallSite? {
        state.withLock { state in
            defer { state.block = site }
            return state.block
        }
    }

    func checkIsolated() {
        requirePrecondition(
            isCurrent, "Context \"\(name)\" was used outside its perform and performAndWait blocks.")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Tasks

    func enqueue(_ job: consuming ExecutorJob) { submit(.task(UnownedJob(job))) }

    /// Queues a block that is not part of a task.
    func enqueue(_ block: @escaping @Sendable () -> Void) { submit(.block(block)) }

    private func submit(_ work: Work) {
        let isIdle = state.withLock { state in
            defer { state.isBusy = true }
            if state.isBusy { state.entries.append(.work(work)) }
            return !state.isBusy
        }
        if isIdle { run(work) }
    }

    /// Runs work on a borrowed thread, as soon as one is available, and then the queued work.
    private func run(_ work: Work) {
        let turn: @Sendable () -> Void = { [self] in runInOrder(work) }
        // The closure retains the executor, because the job may own the last reference to it.
        withExtendedLifetime(turn) {
            let hasThread = threads.run(for: self, turn)
            // Expedites on behalf of threads that started to wait before this request existed; later ones call `expedite` themselves.
            if !hasThread, state.withLock({ $0.threadCount > 0 }) { threads.expedite(self) }
        }
    }

    /// Runs work and then the queued work on this thread, until the queue is empty or another context waits for a thread.
    private func runInOrder(_ work: Work) {
        state.withLock { $0.begin(.current) }
        runOnCurrentThread(work)
        while true {
            let isLast = threads.isContended
            guard case .work(let next) = next(runner: isLast ? nil : .current) else { return }
            if isLast { return run(next) }
            runOnCurrentThread(next)
        }
    }

    private func runOnCurrentThread(_ work: Work) {
        RunningExecutor.run(self) {
            switch work {
            case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .block(let block): block()
            }
        }
    }

    // MARK: Threads

    /// Runs a closure on the calling thread, which blocks until its turn has come.
    ///
    /// - Parameter limit: How long the work ahead may make no progress before the wait fails; nil for no limit.
    /// - Throws: ``StoreError/Code/wouldDeadlock`` if contexts would wait for each other in a cycle, or the work ahead is stalled.
    func runAndWait<Value>(limit: Duration? = nil, _ body: () throws -> Value) throws -> Value {
        if isCurrent { return try body() }
        try waitForTurn(limit, holding: RunningExecutor.current)
        defer { startNextEntry() }
        return try RunningExecutor.run(self, body)
    }

    private func waitForTurn(_ limit: Duration?, holding holder: ContextExecutor?) throws {
        if let holder { try ExecutorWaits.shared.recordWait(self, from: holder) }
        defer { if holder != nil { ExecutorWaits.shared.recordWaitEnd() } }
        guard let waiting = enqueueThread() else { return }
        threads.expedite(self)
        if let limit, ScheduledThread.current == nil {
            try wait(waiting, limit)
        } else {
            waiting.signal.wait()
        }
    }

    /// Starts the turn and returns nil if the executor is idle; otherwise queues the calling thread and returns it.
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

    /// Waits for the turn, and throws when the work ahead is stalled.
    private func wait(_ waiting: WaitingThread, _ limit: Duration) throws {
        var detector = StallDetector(
            limit, earlierStall: state.withLock { $0.stall }, first: ExecutorWaits.shared.progress(of: self))
        while !waiting.signal.wait(detector.interval.interval) {
            let progress = ExecutorWaits.shared.progress(of: self)
            guard detector.isStalled(progress), remove(waiting, stalledAt: progress) else { continue }
            throw stallError(limit)
        }
    }

    /// Removes a thread from the queue; returns false if its turn has just come.
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
            "A request waited for context \"\(name)\", whose \(work) made no progress for \(limit): it used neither the "
                + "processor nor the store. It probably waits for the thread that made the request.",
            remedy:
                "Don't wait for other threads in the block, as DispatchQueue.main.sync does: return values from it, and use them "
                + "after its await or in its completion. If it waits for something else, wait for that before the block, or raise "
                + "StoreOptions.deadlockTimeout.")
    }

    /// Ends the turn, and starts the next queued work or wakes the next thread.
    private func startNextEntry() {
        if case .work(let work) = next(runner: nil) { run(work) }
    }

    /// Dequeues the next entry: work, which the caller runs on `runner`, or a thread, which is woken.
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

/// A thread that waits for its turn in a context.
private final class WaitingThread: Sendable {
    let thread = ContextThread.current
    let signal = ThreadSignal()
}

/// A thread that runs a context's work, with the clock that other threads observe it by.
private struct ContextThread: Sendable {
    let identity: ThreadIdentity
    let clock: ThreadClock

    static var current: ContextThread { ContextThread(identity: .current, clock: .current) }
}

/// Lends threads to contexts for their work, up to ``limit`` at a time, in the order of the requests.
///
/// A block of a context blocks its thread while it waits for a session of the store. A context that requests a thread while ``limit``
/// threads are lent waits in a queue, which uses no thread. Two kinds of contexts exceed the limit, because running blocks may wait
/// for them:
///
/// - A context that a thread waits for gets a thread at once: for ``ContextActor/performAndWait(fileID:line:_:)``, for a request of a
///   child in another isolation, or of a proxy. Each waiting thread waits for one context, so lent threads never wait for more
///   contexts than there are lent threads.
/// - A block that has made no progress since the last check, neither by the processor nor by the store, doesn't count against the limit.
///   It may wait for a queued context, which gets a thread at the next check: after at most one ``interval`` for each block in a chain
///   of waiting blocks.
///
/// So every context that a block waits for gets a thread, and the limit adds no deadlocks.
///
/// `state` is guarded by its mutex; no other lock is acquired while it is held.
final class ContextThreads: Sendable {
    /// A context's request for a thread, or the thread that it has borrowed.
    private final class Loan: Sendable {
        let executor: ContextExecutor
        let work: @Sendable () -> Void

        init(_ executor: ContextExecutor, _ work: @escaping @Sendable () -> Void) {
            self.executor = executor
            self.work = work
        }
    }

    private struct State {
        /// The requests in order; those missing from `waiting` were granted out of order.
        var queue = FIFOQueue<Loan>()
        var waiting: [ObjectIdentifier: Loan] = [:]
        var granted: [ObjectIdentifier: Loan] = [:]
        /// The number of granted loans whose blocks are stalled and don't count against the limit.
        var stalledCount = 0
        /// Whether loans are checked periodically.
        var isWatched = false

        mutating func grant(_ loan: Loan) -> Loan {
            granted[ObjectIdentifier(loan)] = loan
            return loan
        }

        /// Grants the oldest request if the limit allows that.
        mutating func grantNext(_ limit: Int) -> Loan? {
            while granted.count < limit + stalledCount, let loan = queue.popFirst() {
                // Skips a request that was granted out of order; its context may have made a new one since.
                guard waiting[ObjectIdentifier(loan.executor)] === loan else { continue }
                waiting[ObjectIdentifier(loan.executor)] = nil
                return grant(loan)
            }
            return nil
        }

        /// Removes a context's waiting request.
        mutating func remove(_ executor: ContextExecutor) -> Loan? {
            waiting.removeValue(forKey: ObjectIdentifier(executor))
        }
    }

    /// How often blocks are checked for progress, while contexts wait for a thread.
    private static let interval = Duration.seconds(1)

    /// The number of threads lent at a time, not counting those with stalled blocks; only ``expedite(_:)`` exceeds it.
    let limit: Int
    private let threads: any BlockingThreadPool
    private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    private let state = Guarded(State())

    init(_ environment: PipelineEnvironment, limit: Int) {
        threads = environment.makeThreads("context", .max)
        later = environment.later
        self.limit = limit
    }

    /// The number of threads, including idle ones.
    var count: Int { threads.count }

    /// Whether contexts wait for a thread.
    var isContended: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Runs a context's work on a thread as soon as one is available; a context makes one request at a time.
    ///
    /// - Returns: Whether a thread was lent immediately.
    func run(for executor: ContextExecutor, _ work: @escaping @Sendable () -> Void) -> Bool {
        let loan = Loan(executor, work)
        let (isGranted, watches) = state.withLock { state in
            if state.granted.count < limit + state.stalledCount {
                _ = state.grant(loan)
                return (true, false)
            }
            state.queue.append(loan)
            state.waiting[ObjectIdentifier(executor)] = loan
            defer { state.isWatched = true }
            return (false, !state.isWatched)
        }
        if isGranted { lend(loan) }
        if watches { watch(after: [:]) }
        return isGranted
    }

    /// Lends a thread to a waiting context immediately, because a thread waits for that context.
    func expedite(_ executor: ContextExecutor) {
        let loan = state.withLock { state in state.remove(executor).map { state.grant($0) } }
        if let loan { lend(loan) }
    }

    /// Ends each thread once it is idle; later work still gets a thread.
    func close() { threads.close() }

    private func lend(_ loan: Loan) {
        threads.run { [self] in
            var next: Loan? = loan
            while let loan = next.take() {
                loan.work()
                next = endLoan(loan)
            }
        }
    }

    /// Ends a loan, and grants the thread to the next context.
    private func endLoan(_ loan: Loan) -> Loan? {
        state.withLock { state in
            state.granted[ObjectIdentifier(loan)] = nil
            return state.grantNext(limit)
        }
    }

    // MARK: Blocks that make no progress

    private typealias Progress = [ObjectIdentifier: [ContextProgress]]

    private func watch(after last: Progress) {
        later(Self.interval) { [weak self] in self?.check(last) }
    }

    /// Lends one more thread for each block that has made no progress since the last check, while contexts wait for threads.
    private func check(_ last: Progress) {
        let granted = state.withLock { $0.granted }
        let progress = granted.compactMapValues { ExecutorWaits.shared.progress(of: $0.executor) }
        let stalledCount = progress.count { last[$0.key] == $0.value }
        let (loans, isOver) = state.withLock { state -> ([Loan], Bool) in
            if state.waiting.isEmpty {
                (state.stalledCount, state.isWatched) = (0, false)
                return ([], true)
            }
            state.stalledCount = stalledCount
            var loans: [Loan] = []
            while let loan = state.grantNext(limit) { loans.append(loan) }
            return (loans, false)
        }
        for loan in loans { lend(loan) }
        if !isOver { watch(after: progress) }
    }
}

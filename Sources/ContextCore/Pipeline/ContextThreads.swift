/// Lends contexts the threads that their work runs on: no more than ``limit`` at a time, in the order in which the
/// contexts ask.
///
/// A block of a context blocks its thread while it waits for a session of the store. So a context that asks while
/// ``limit`` threads are lent waits in a queue, which costs no thread. Two kinds of contexts go over the limit, as
/// blocks that have a thread may wait for them:
///
/// - A context for which a thread waits gets a thread at once: for ``ContextActor/performAndWait(fileID:line:_:)``, for
///   a request of a child in another isolation or of a proxy. Each waiting thread waits for one context, and the
///   threads that were lent wait for no more contexts than there are threads.
/// - A block that has made no progress since the last look, neither by the processor nor by the store, doesn't count
///   against the limit. What it waits for may be done in a queued context, which gets a thread at the next look: after
///   at most one ``interval`` for each block of a chain in which one waits for the next.
///
/// So whatever a block waits for gets a thread, and a bound of threads makes no deadlock that there would not be
/// without it.
///
/// `state` is guarded by its mutex, and held while no other lock is acquired.
final class ContextThreads: Sendable {
    /// A context's request for a thread, and then its loan.
    private final class Loan: Sendable {
        let executor: ContextExecutor
        let work: @Sendable () -> Void

        init(_ executor: ContextExecutor, _ work: @escaping @Sendable () -> Void) {
            self.executor = executor
            self.work = work
        }
    }

    private struct State {
        /// The requests in their order; those that `waiting` doesn't have were granted out of turn.
        var queue = FIFOQueue<Loan>()
        var waiting: [ObjectIdentifier: Loan] = [:]
        var granted: [ObjectIdentifier: Loan] = [:]
        /// How many of the granted loans don't count.
        var stalledCount = 0
        /// Whether loans are looked at regularly.
        var isWatched = false

        mutating func grant(_ loan: Loan) -> Loan {
            granted[ObjectIdentifier(loan)] = loan
            return loan
        }

        /// Grants the oldest request if the limit allows that.
        mutating func grantNext(_ limit: Int) -> Loan? {
            while granted.count < limit + stalledCount, let loan = queue.popFirst() {
                // One that was granted out of turn; its context may have made a new request since.
                guard waiting[ObjectIdentifier(loan.executor)] === loan else { continue }
                waiting[ObjectIdentifier(loan.executor)] = nil
                return grant(loan)
            }
            return nil
        }

        /// Removes a context's request from those that wait.
        mutating func remove(_ executor: ContextExecutor) -> Loan? {
            waiting.removeValue(forKey: ObjectIdentifier(executor))
        }
    }

    /// How often it is looked for blocks that make no progress, while contexts wait for a thread.
    private static let interval = Duration.seconds(1)

    /// How many threads are lent at a time, beside those that don't count.
    let limit: Int
    private let threads: any WorkThreads
    private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    private let state = Guarded(State())

    init(_ surroundings: PipelineSurroundings, limit: Int) {
        threads = surroundings.makeThreads("context", .max)
        later = surroundings.later
        self.limit = limit
    }

    /// The number of threads there are, idle ones included.
    var count: Int { threads.count }

    /// Whether contexts wait for a thread.
    var isContended: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Runs a context's work on a thread, at once or when its turn comes; a context makes one request at a time.
    ///
    /// Returns whether it has a thread already.
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

    /// Lends a context a thread at once if it waits for one: a thread waits for the context.
    func expedite(_ executor: ContextExecutor) {
        let loan = state.withLock { state in state.remove(executor).map { state.grant($0) } }
        if let loan { lend(loan) }
    }

    /// Lets every thread go once it has nothing to do; work that comes later still gets one.
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
        later(Self.interval) { [weak self] in self?.look(last) }
    }

    /// Lends threads in place of those whose blocks have made no progress since the last look, for as long as contexts
    /// wait for one.
    private func look(_ last: Progress) {
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

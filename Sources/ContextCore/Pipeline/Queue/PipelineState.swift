/// The state that a pipeline's lock guards: its queue, and the operation of each ticket.
struct PipelineState {
    /// What the pipeline does after it has released its lock.
    enum Step {
        case begin(any PipelineTurn, PipelineTicket)
        case refuse(any PipelineTurn, StoreError)
        case runFollowUp(@Sendable () -> Void)
        case close
    }

    /// A submitted operation; a class, so that dictionary entries can be changed without a copy.
    private final class Entry {
        let label: OperationLabel
        /// The turn that waits; nil for an operation that started at once.
        let turn: (any PipelineTurn)?
        let submitted = ContinuousClock.now
        var isRunning = false
        /// Whether the operation is in the delay before a retry, and so in no queue.
        var isDelayed = false
        /// Whether the write was handed over to the next one, which commits for both.
        var isHandedOver = false
        var whenFinished: (@Sendable () -> Void)?

        init(label: OperationLabel, turn: (any PipelineTurn)?) {
            self.label = label
            self.turn = turn
        }
    }

    /// An operation that may be retried.
    private struct RetriedEntry {
        /// The ticket of the current or last attempt or delay.
        let ticket: PipelineTicket
        var gap: AttemptGap?
    }

    /// The gap between an attempt and a delay, or between a delay and the next attempt.
    private struct AttemptGap {
        let label: OperationLabel
        let submitted: ContinuousClock.Instant
        /// Whether it follows an attempt, and not a delay; after an attempt the operation may have ended.
        let isRunning: Bool
        var isCancelled = false
    }

    private var queue: PipelineQueue
    /// The submitted operations that have not ended, except those between attempts.
    private var entries: [PipelineTicket: Entry] = [:]
    /// The operations that may be retried, from their first submission to their end.
    private var retried: [ObjectIdentifier: RetriedEntry] = [:]
    /// The number of measured operations whose reports the store's log has not received.
    private var unreportedCount = 0
    private(set) var isClosed = false
    /// Whether the store closes once the accepted operations have ended, and accepts no others.
    private var isDraining = false
    /// Whether no more operations are accepted.
    var isClosing: Bool { queue.isClosed || isDraining }
    private var whenClosed: [@Sendable () -> Void] = []

    init(_ rules: PipelineQueue.Rules) { queue = PipelineQueue(rules) }

    mutating func submit(
        _ label: OperationLabel, _ turn: any PipelineTurn, enforcesLimit: Bool
    ) -> (PipelineTicket, [Step]) {
        if let refusal = refusal(of: label) {
            let ticket = queue.issueTicket()
            addEntry(Entry(label: label, turn: turn), ticket)
            return (ticket, steps([.refuse(ticket, refusal)]))
        }
        let (ticket, actions) = queue.submit(label.kind, lane: label.lane, enforcesLimit: enforcesLimit)
        addEntry(Entry(label: label, turn: turn), ticket)
        return (ticket, steps(actions))
    }

    /// Starts an operation at once if none is queued ahead of it; returns nil if it must be submitted.
    mutating func startImmediately(_ label: OperationLabel) -> PipelineTicket? {
        guard refusal(of: label) == nil,
            let ticket = queue.startImmediately(label.kind, lane: label.lane)
        else { return nil }
        let entry = Entry(label: label, turn: nil)
        entry.isRunning = true
        addEntry(entry, ticket)
        return ticket
    }

    /// Returns why an operation isn't submitted to the queue; nil if it is.
    private func refusal(of label: OperationLabel) -> PipelineQueue.Refusal? {
        if wasCancelled(label) { return .cancelled }
        return isDraining && !label.isRetry && !label.isCleanup ? .closed : nil
    }

    /// Whether an operation was cancelled between two attempts, when it had no ticket.
    private func wasCancelled(_ label: OperationLabel) -> Bool {
        guard let operation = label.operation else { return false }
        return retried[ObjectIdentifier(operation)]?.gap?.isCancelled == true
    }

    private mutating func addEntry(_ entry: Entry, _ ticket: PipelineTicket) {
        entries[ticket] = entry
        if let operation = entry.label.operation {
            retried[ObjectIdentifier(operation)] = RetriedEntry(ticket: ticket)
        }
    }

    mutating func cancel(_ ticket: PipelineTicket) -> [Step] {
        if entries[ticket]?.isDelayed == true { return steps([.refuse(ticket, .cancelled)]) }
        return steps(queue.cancel(ticket))
    }

    /// Cancels the waiting operations with a name, and returns their number.
    mutating func cancel(named identifier: String) -> (steps: [Step], count: Int) {
        let waiting = entries.filter { _, entry in
            !entry.isRunning && !entry.label.isCleanup && entry.label.identifier == identifier
        }.keys
        // An operation between two attempts has no ticket; it fails when it submits the next attempt.
        let betweenAttempts = retried.filter { _, retried in
            guard let gap = retried.gap, !gap.isRunning else { return false }
            return !gap.isCancelled && gap.label.identifier == identifier
        }.keys
        for operation in betweenAttempts { retried[operation]?.gap?.isCancelled = true }
        return (waiting.sorted().flatMap { cancel($0) }, waiting.count + betweenAttempts.count)
    }

    /// Records that an operation has ended, unless it was handed over.
    mutating func finish(_ ticket: PipelineTicket) -> [Step] {
        guard entries[ticket]?.isHandedOver == false, let entry = remove(ticket, isRunning: true) else {
            return []
        }
        let followUp = entry.whenFinished.map { [Step.runFollowUp($0)] } ?? []
        let steps = steps(queue.finish(ticket))
        return queue.isClosed ? followUp + steps : steps + followUp
    }

    /// Whether work is registered that runs after an operation.
    func hasFollowUp(_ ticket: PipelineTicket) -> Bool { entries[ticket]?.whenFinished != nil }

    /// Registers work that runs after an operation has ended.
    mutating func whenFinished(_ ticket: PipelineTicket, _ work: @escaping @Sendable () -> Void) {
        entries[ticket]?.whenFinished = work
    }

    var hasWaitingWrites: Bool { queue.waitingWriteCount > 0 }

    /// Ends a write before its commit, and starts the next one in its group; returns nil if none is ready to start.
    ///
    /// A write that awaits the shared commit stays among the operations until ``removeCommitted(_:)``.
    mutating func handOver(
        _ ticket: PipelineTicket, lane: String?, awaitsCommit: Bool,
        if isWanted: @Sendable (OperationLabel) -> Bool
    ) -> [Step]? {
        let actions = queue.handOver(ticket, lane: lane) { next in
            entries[next].map { $0.turn?.isReady == true && isWanted($0.label) } ?? false
        }
        guard let actions else { return nil }
        entries[ticket]?.isHandedOver = true
        if !awaitsCommit { _ = remove(ticket, isRunning: true) }
        return steps(actions)
    }

    /// Removes writes whose shared commit has ended.
    mutating func removeCommitted(_ tickets: [PipelineTicket]) -> [Step] {
        for ticket in tickets { _ = remove(ticket, isRunning: true) }
        return closeIfDrained()
    }

    /// Removes the entry of an attempt or delay that has ended; an operation that may be retried stays in `retried` until its end.
    private mutating func remove(_ ticket: PipelineTicket, isRunning: Bool) -> Entry? {
        let entry = entries.removeValue(forKey: ticket)
        // The task may have submitted the next attempt before the thread of the last one removes this entry.
        if let entry, let operation = entry.label.operation, isCurrentAttempt(entry, ticket) {
            retried[ObjectIdentifier(operation)]?.gap = AttemptGap(
                label: entry.label, submitted: entry.submitted, isRunning: isRunning)
        }
        return entry
    }

    /// Whether a ticket is its operation's current one; a retried operation may have another ticket by now, or have ended.
    private func isCurrentAttempt(_ entry: Entry, _ ticket: PipelineTicket) -> Bool {
        guard let operation = entry.label.operation else { return true }
        return retried[ObjectIdentifier(operation)]?.ticket == ticket
    }

    /// Returns the numbers of waiting and running operations.
    func statistics() -> StoreStatistics {
        var statistics = StoreStatistics()
        for (ticket, entry) in entries where isCurrentAttempt(entry, ticket) {
            statistics.add(entry.label, isRunning: entry.isRunning)
        }
        for gap in retried.values.lazy.compactMap(\.gap) where !gap.isCancelled {
            statistics.add(gap.label, isRunning: gap.isRunning)
        }
        return statistics
    }

    /// Returns the waiting and running operations, in the order of submission.
    func operations(at now: ContinuousClock.Instant) -> [OperationInfo] {
        let infos = entries.filter { isCurrentAttempt($1, $0) }.map { ticket, entry in
            (ticket, OperationInfo(entry.label, isRunning: entry.isRunning, age: now - entry.submitted))
        }
        let others = retried.values.compactMap { retried -> (PipelineTicket, OperationInfo)? in
            guard let gap = retried.gap, !gap.isCancelled else { return nil }
            let (label, age) = (gap.label, now - gap.submitted)
            return (retried.ticket, OperationInfo(label, isRunning: gap.isRunning, age: age))
        }
        return (infos + others).sorted { $0.0 < $1.0 }.map(\.1)
    }

    // MARK: Retries

    /// Records that an operation has ended and won't be retried.
    mutating func recordEnd(of operation: RetriedOperation) -> [Step] {
        retried[ObjectIdentifier(operation)] = nil
        return closeIfDrained()
    }

    /// Starts the delay before a retry; until it ends, the operation counts as waiting.
    mutating func startRetryDelay(_ label: OperationLabel, _ pause: RetryDelay) -> (PipelineTicket, [Step]) {
        let ticket = queue.issueTicket()
        let entry = Entry(label: label, turn: pause)
        entry.isDelayed = true
        addEntry(entry, ticket)
        return (ticket, queue.isClosed ? steps([.refuse(ticket, .closed)]) : [])
    }

    /// Ends the delay before a retry; does nothing if the delay has ended.
    mutating func endRetryDelay(_ ticket: PipelineTicket) -> [Step] {
        remove(ticket, isRunning: false)?.turn.map { [.begin($0, ticket)] } ?? []
    }

    // MARK: Closing

    /// Closes the queue, and registers a completion that runs once the store is closed; returns whether it is closed already.
    mutating func close(_ completion: @escaping @Sendable () -> Void) -> (steps: [Step], isClosed: Bool) {
        if !isClosed { whenClosed.append(completion) }
        let delayed = entries.filter(\.value.isDelayed).keys.sorted()
        return (steps(delayed.map { .refuse($0, .closed) } + queue.close()), isClosed)
    }

    /// Records that an operation is measured, so that a draining store stays open until its report.
    mutating func registerMeasuredOperation() { unreportedCount += 1 }

    /// Records that the log has received the report of a measured operation.
    mutating func recordReport() -> [Step] {
        unreportedCount -= 1
        return closeIfDrained()
    }

    /// Accepts no more operations except retries, and closes the queue once the accepted ones have ended.
    mutating func drain(_ completion: @escaping @Sendable () -> Void) -> (steps: [Step], isClosed: Bool) {
        if isClosed { return ([], true) }
        whenClosed.append(completion)
        isDraining = true
        return (closeIfDrained(), false)
    }

    private mutating func closeIfDrained() -> [Step] {
        guard isDraining, !queue.isClosed, entries.isEmpty, retried.isEmpty, unreportedCount == 0 else {
            return []
        }
        return steps(queue.close())
    }

    /// Records that the store is closed, and returns the completions to call.
    mutating func finishClosing() -> [@Sendable () -> Void] {
        isClosed = true
        defer { whenClosed = [] }
        return whenClosed
    }

    /// Returns what the pipeline does for actions of the queue; if the last operation has ended, it also closes the store.
    private mutating func steps(_ actions: [PipelineQueue.Action]) -> [Step] {
        var steps: [Step] = actions.compactMap { action in
            switch action {
            case .start(let ticket): begin(ticket)
            case .refuse(let ticket, let reason):
                entries.removeValue(forKey: ticket).flatMap { entry in
                    entry.turn.map { .refuse($0, reason.error(entry.label)) }
                }
            case .close: .close
            }
        }
        if isDraining { steps += closeIfDrained() }
        return steps
    }

    private mutating func begin(_ ticket: PipelineTicket) -> Step? {
        guard let entry = entries[ticket], let turn = entry.turn else { return nil }
        entry.isRunning = true
        return .begin(turn, ticket)
    }
}

extension PipelineQueue.Refusal {
    fileprivate func error(_ label: OperationLabel) -> StoreError {
        switch self {
        case .cancelled: .cancelled(label)
        case .closed:
            StoreError(
                .closed, "\(label) was not run because the store is closed.", remedy: "Open the store again.")
        case .full:
            StoreError(
                .overloaded, "\(label) was not run because the store's queue is full.",
                remedy:
                    "Submit fewer operations at once, raise StoreOptions.waitingLimit, or pass overflow: .wait."
            )
        }
    }
}

extension StoreError {
    /// Returns the error of an operation that was cancelled before its commit.
    static func cancelled(_ label: OperationLabel) -> StoreError {
        StoreError(
            .cancelled, "\(label) was cancelled before it was committed. Nothing was saved.",
            cause: CancellationError())
    }
}

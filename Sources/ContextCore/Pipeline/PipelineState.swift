/// What a pipeline's lock guards: its queue, and who is behind each ticket.
struct PipelineState {
    /// An action of the queue, together with whom it is about.
    enum Step {
        case begin(any PipelineTurn, PipelineTicket)
        case refuse(any PipelineTurn, StoreError)
        case close
    }

    private struct Entry {
        let label: OperationLabel
        let turn: any PipelineTurn
        let submitted = ContinuousClock.now
        var isRunning = false
    }

    private var queue: PipelineQueue
    /// Every operation that was submitted and has not come to its end.
    private var entries: [PipelineTicket: Entry] = [:]
    private(set) var isClosed = false
    private var whenClosed: [@Sendable () -> Void] = []

    init(_ rules: PipelineQueue.Rules) { queue = PipelineQueue(rules) }

    mutating func submit(_ label: OperationLabel, _ turn: any PipelineTurn) -> (PipelineTicket, [Step]) {
        let (ticket, actions) = queue.submit(
            label.kind, lane: label.lane, heedsLimit: !label.isHousekeeping)
        entries[ticket] = Entry(label: label, turn: turn)
        return (ticket, steps(actions))
    }

    mutating func cancel(_ ticket: PipelineTicket) -> [Step] { steps(queue.cancel(ticket)) }

    /// Cancels what waits under a name, and says how many that were.
    mutating func cancel(named identifier: String) -> (steps: [Step], count: Int) {
        let meant = entries.filter { _, entry in
            !entry.isRunning && !entry.label.isHousekeeping && entry.label.identifier == identifier
        }.keys
        return (meant.sorted().flatMap { steps(queue.cancel($0)) }, meant.count)
    }

    /// An operation has come to its end, unless it has left its place to another already.
    mutating func finish(_ ticket: PipelineTicket) -> [Step] {
        if entries.removeValue(forKey: ticket) == nil { return [] }
        return steps(queue.finish(ticket))
    }

    /// A write leaves its place, and what it did, to the next one, if that is ready to begin; nil where there is none.
    mutating func handOver(
        _ ticket: PipelineTicket, lane: String, if isWanted: (OperationLabel) -> Bool
    ) -> [Step]? {
        let actions = queue.handOver(ticket, lane: lane) { next in
            entries[next].map { $0.turn.isReady && isWanted($0.label) } ?? false
        }
        guard let actions else { return nil }
        entries[ticket] = nil
        return steps(actions)
    }

    /// What waits and what runs, in the order of submission.
    func operations(at now: ContinuousClock.Instant) -> [OperationInfo] {
        entries.sorted { $0.key < $1.key }.map { _, entry in
            OperationInfo(entry.label, isRunning: entry.isRunning, age: now - entry.submitted)
        }
    }

    // MARK: Closing

    /// Begins to close; `completion` is kept unless everything is closed already.
    mutating func close(_ completion: @escaping @Sendable () -> Void) -> (steps: [Step], isClosed: Bool) {
        if !isClosed { whenClosed.append(completion) }
        return (steps(queue.close()), isClosed)
    }

    /// Everything is closed; returns who wanted to know.
    mutating func finishClosing() -> [@Sendable () -> Void] {
        isClosed = true
        defer { whenClosed = [] }
        return whenClosed
    }

    private mutating func steps(_ actions: [PipelineQueue.Action]) -> [Step] {
        actions.compactMap { action in
            switch action {
            case .start(let ticket): begin(ticket)
            case .refuse(let ticket, let reason):
                entries.removeValue(forKey: ticket).map { .refuse($0.turn, reason.error($0.label)) }
            case .close: .close
            }
        }
    }

    private mutating func begin(_ ticket: PipelineTicket) -> Step? {
        entries[ticket]?.isRunning = true
        return entries[ticket].map { .begin($0.turn, ticket) }
    }
}

extension PipelineQueue.Refusal {
    fileprivate func error(_ label: OperationLabel) -> StoreError {
        switch self {
        case .cancelled: .cancelled(label)
        case .closed: StoreError(.closed, "\(label) was not run, because the store is closed.")
        case .full:
            StoreError(
                .overloaded, "\(label) was not run, because as many operations wait as may.",
                remedy: "Try again later, or raise waitingLimit in the store's options.")
        }
    }
}

extension StoreError {
    /// What an operation throws that was cancelled before it was committed.
    static func cancelled(_ label: OperationLabel) -> StoreError {
        StoreError(
            .cancelled, "\(label) was cancelled before it was committed, and left nothing in the store.",
            cause: CancellationError())
    }
}

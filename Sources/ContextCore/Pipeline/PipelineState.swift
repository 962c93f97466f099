/// What a pipeline's lock guards: its queue, and who is behind each ticket.
struct PipelineState {
    /// An action of the queue, together with whom it is about.
    enum Step {
        case begin(any PipelineTurn, PipelineTicket)
        case refuse(any PipelineTurn, StoreError)
        case tell(@Sendable () -> Void)
        case close
    }

    private struct Entry {
        let label: OperationLabel
        let turn: any PipelineTurn
        let submitted = ContinuousClock.now
        var isRunning = false
        /// Whether it pauses before it is done again, and so is in no line.
        var isPausing = false
        var whenFinished: (@Sendable () -> Void)?
    }

    private var queue: PipelineQueue
    /// Every operation that was submitted and has not come to its end.
    private var entries: [PipelineTicket: Entry] = [:]
    private(set) var isClosed = false
    private var whenClosed: [@Sendable () -> Void] = []

    init(_ rules: PipelineQueue.Rules) { queue = PipelineQueue(rules) }

    mutating func submit(
        _ label: OperationLabel, _ turn: any PipelineTurn, heedsLimit: Bool
    ) -> (PipelineTicket, [Step]) {
        let (ticket, actions) = queue.submit(label.kind, lane: label.lane, heedsLimit: heedsLimit)
        entries[ticket] = Entry(label: label, turn: turn)
        return (ticket, steps(actions))
    }

    mutating func cancel(_ ticket: PipelineTicket) -> [Step] {
        if entries[ticket]?.isPausing == true { return steps([.refuse(ticket, .cancelled)]) }
        return steps(queue.cancel(ticket))
    }

    /// Cancels what waits under a name, and says how many that were.
    mutating func cancel(named identifier: String) -> (steps: [Step], count: Int) {
        let meant = entries.filter { _, entry in
            !entry.isRunning && !entry.label.isHousekeeping && entry.label.identifier == identifier
        }.keys
        return (meant.sorted().flatMap { cancel($0) }, meant.count)
    }

    /// An operation has come to its end, unless it has left its place to another already.
    mutating func finish(_ ticket: PipelineTicket) -> [Step] {
        guard let entry = entries.removeValue(forKey: ticket) else { return [] }
        let told = entry.whenFinished.map { [Step.tell($0)] } ?? []
        let steps = steps(queue.finish(ticket))
        return queue.isClosed ? told + steps : steps + told
    }

    /// What is to be done as soon as an operation has left its place.
    mutating func whenFinished(_ ticket: PipelineTicket, _ work: @escaping @Sendable () -> Void) {
        entries[ticket]?.whenFinished = work
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

    // MARK: Pauses

    /// An operation pauses before it is done again; until the pause is ended it counts as one that waits.
    mutating func beginPause(_ label: OperationLabel, _ pause: PipelinePause) -> (PipelineTicket, [Step]) {
        let ticket = queue.takeTicket()
        entries[ticket] = Entry(label: label, turn: pause, isPausing: true)
        return (ticket, queue.isClosed ? steps([.refuse(ticket, .closed)]) : [])
    }

    /// The time of a pause has passed, unless it was ended before.
    mutating func endPause(_ ticket: PipelineTicket) -> [Step] {
        entries.removeValue(forKey: ticket).map { [.begin($0.turn, ticket)] } ?? []
    }

    // MARK: Closing

    /// Begins to close; `completion` is kept unless everything is closed already.
    mutating func close(_ completion: @escaping @Sendable () -> Void) -> (steps: [Step], isClosed: Bool) {
        if !isClosed { whenClosed.append(completion) }
        let pausing = entries.filter(\.value.isPausing).keys.sorted()
        return (steps(pausing.map { .refuse($0, .closed) } + queue.close()), isClosed)
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
                remedy:
                    "Try again later, raise waitingLimit in the store's options, or let it wait: whenFull: .wait."
            )
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

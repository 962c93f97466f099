/// What a pipeline's lock guards: its queue, and who is behind each ticket.
struct PipelineState {
    /// An action of the queue, together with whom it is about.
    enum Step {
        case begin(any PipelineTurn, PipelineTicket)
        case refuse(any PipelineTurn, StoreError)
        case tell(@Sendable () -> Void)
        case close
    }

    /// An operation; one that is looked at and changed where it is, as often as it goes on.
    private final class Entry {
        let label: OperationLabel
        /// Who waits for its turn; nil where nobody had to, as it began at once.
        let turn: (any PipelineTurn)?
        let submitted = ContinuousClock.now
        var isRunning = false
        /// Whether it pauses before it is done again, and so is in no line.
        var isPausing = false
        /// Whether it has left its place to another, which makes its commit.
        var hasLeft = false
        var whenFinished: (@Sendable () -> Void)?

        init(label: OperationLabel, turn: (any PipelineTurn)?) {
            self.label = label
            self.turn = turn
        }
    }

    /// An operation that may be done again.
    private struct Repeated {
        /// The ticket of its attempt or pause, or of the last one.
        let ticket: PipelineTicket
        var interlude: Interlude?
    }

    /// What is between an attempt and a pause, and between a pause and the next attempt.
    private struct Interlude {
        let label: OperationLabel
        let submitted: ContinuousClock.Instant
        /// Whether it comes after an attempt, of which it is not known yet whether it was the last.
        let isRunning: Bool
        var isCancelled = false
    }

    private var queue: PipelineQueue
    /// Every operation that was submitted and has not come to its end, but for those that are in an interlude.
    private var entries: [PipelineTicket: Entry] = [:]
    /// Those that may be done again, from the first submission until they aren't.
    private var repeated: [ObjectIdentifier: Repeated] = [:]
    private(set) var isClosed = false
    /// Whether it takes no more operations.
    var isClosing: Bool { queue.isClosed }
    private var whenClosed: [@Sendable () -> Void] = []

    init(_ rules: PipelineQueue.Rules) { queue = PipelineQueue(rules) }

    mutating func submit(
        _ label: OperationLabel, _ turn: any PipelineTurn, heedsLimit: Bool
    ) -> (PipelineTicket, [Step]) {
        if wasCancelled(label) {
            let ticket = queue.takeTicket()
            enter(Entry(label: label, turn: turn), ticket)
            return (ticket, steps([.refuse(ticket, .cancelled)]))
        }
        let (ticket, actions) = queue.submit(label.kind, lane: label.lane, heedsLimit: heedsLimit)
        enter(Entry(label: label, turn: turn), ticket)
        return (ticket, steps(actions))
    }

    /// Lets an operation begin that nobody is before; nil, with nothing changed, where it has to be submitted.
    mutating func beginAtOnce(_ label: OperationLabel) -> PipelineTicket? {
        guard !wasCancelled(label), let ticket = queue.beginAtOnce(label.kind, lane: label.lane) else {
            return nil
        }
        let entry = Entry(label: label, turn: nil)
        entry.isRunning = true
        enter(entry, ticket)
        return ticket
    }

    /// Whether an operation that may be done again was cancelled while nobody was there to be told.
    private func wasCancelled(_ label: OperationLabel) -> Bool {
        guard let operation = label.operation else { return false }
        return repeated[ObjectIdentifier(operation)]?.interlude?.isCancelled == true
    }

    private mutating func enter(_ entry: Entry, _ ticket: PipelineTicket) {
        entries[ticket] = entry
        if let operation = entry.label.operation {
            repeated[ObjectIdentifier(operation)] = Repeated(ticket: ticket)
        }
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
        // Nobody is there yet to be told: it is refused when it comes.
        let coming = repeated.filter { _, repeated in
            guard let interlude = repeated.interlude, !interlude.isRunning else { return false }
            return !interlude.isCancelled && interlude.label.identifier == identifier
        }.keys
        for operation in coming { repeated[operation]?.interlude?.isCancelled = true }
        return (meant.sorted().flatMap { cancel($0) }, meant.count + coming.count)
    }

    /// An operation has come to its end, unless it has left its place to another already.
    mutating func finish(_ ticket: PipelineTicket) -> [Step] {
        guard entries[ticket]?.hasLeft == false, let entry = remove(ticket, isRunning: true) else {
            return []
        }
        let told = entry.whenFinished.map { [Step.tell($0)] } ?? []
        let steps = steps(queue.finish(ticket))
        return queue.isClosed ? told + steps : steps + told
    }

    /// Whether anything is to be done as soon as an operation has left its place.
    func hasToTell(_ ticket: PipelineTicket) -> Bool { entries[ticket]?.whenFinished != nil }

    /// What is to be done as soon as an operation has left its place.
    mutating func whenFinished(_ ticket: PipelineTicket, _ work: @escaping @Sendable () -> Void) {
        entries[ticket]?.whenFinished = work
    }

    var hasWaitingWrites: Bool { queue.waitingWriteCount > 0 }

    /// A write leaves its place, and what it did, to the next one, if that is ready to begin; nil where there is none.
    ///
    /// One that awaits its commit stays among the operations until that is settled.
    mutating func handOver(
        _ ticket: PipelineTicket, lane: String?, awaitsCommit: Bool,
        if isWanted: @Sendable (OperationLabel) -> Bool
    ) -> [Step]? {
        let actions = queue.handOver(ticket, lane: lane) { next in
            entries[next].map { $0.turn?.isReady == true && isWanted($0.label) } ?? false
        }
        guard let actions else { return nil }
        entries[ticket]?.hasLeft = true
        if !awaitsCommit { settle([ticket]) }
        return steps(actions)
    }

    /// It is known what has become of writes that have left their places before their commit.
    mutating func settle(_ tickets: [PipelineTicket]) {
        for ticket in tickets { _ = remove(ticket, isRunning: true) }
    }

    /// Takes an operation out that runs or pauses no more; one that may be done again stays until it says that it isn't.
    private mutating func remove(_ ticket: PipelineTicket, isRunning: Bool) -> Entry? {
        let entry = entries.removeValue(forKey: ticket)
        // A task may have gone on already when its thread has left its place.
        if let entry, let operation = entry.label.operation, isPresent(entry, ticket) {
            repeated[ObjectIdentifier(operation)]?.interlude = Interlude(
                label: entry.label, submitted: entry.submitted, isRunning: isRunning)
        }
        return entry
    }

    /// Whether an operation is where its entry says; one that may be done again may have gone on, or have come to its end.
    private func isPresent(_ entry: Entry, _ ticket: PipelineTicket) -> Bool {
        guard let operation = entry.label.operation else { return true }
        return repeated[ObjectIdentifier(operation)]?.ticket == ticket
    }

    /// What waits and what runs, in the order of submission.
    func operations(at now: ContinuousClock.Instant) -> [OperationInfo] {
        let infos = entries.filter { isPresent($1, $0) }.map { ticket, entry in
            (ticket, OperationInfo(entry.label, isRunning: entry.isRunning, age: now - entry.submitted))
        }
        let others = repeated.values.compactMap { repeated -> (PipelineTicket, OperationInfo)? in
            guard let interlude = repeated.interlude, !interlude.isCancelled else { return nil }
            let (label, age) = (interlude.label, now - interlude.submitted)
            return (repeated.ticket, OperationInfo(label, isRunning: interlude.isRunning, age: age))
        }
        return (infos + others).sorted { $0.0 < $1.0 }.map(\.1)
    }

    // MARK: Repetitions

    /// An operation that might have been done again isn't.
    mutating func end(_ operation: RepeatedOperation) { repeated[ObjectIdentifier(operation)] = nil }

    /// An operation pauses before it is done again; until the pause is ended it counts as one that waits.
    mutating func beginPause(_ label: OperationLabel, _ pause: PipelinePause) -> (PipelineTicket, [Step]) {
        let ticket = queue.takeTicket()
        let entry = Entry(label: label, turn: pause)
        entry.isPausing = true
        enter(entry, ticket)
        return (ticket, queue.isClosed ? steps([.refuse(ticket, .closed)]) : [])
    }

    /// The time of a pause has passed, unless it was ended before.
    mutating func endPause(_ ticket: PipelineTicket) -> [Step] {
        remove(ticket, isRunning: false)?.turn.map { [.begin($0, ticket)] } ?? []
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
                entries.removeValue(forKey: ticket).flatMap { entry in
                    entry.turn.map { .refuse($0, reason.error(entry.label)) }
                }
            case .close: .close
            }
        }
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

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
    }

    private var queue: PipelineQueue
    /// Every operation that was submitted and has not come to its end.
    private var entries: [PipelineTicket: Entry] = [:]
    private(set) var isClosed = false
    private var whenClosed: [@Sendable () -> Void] = []

    init(readLimit: Int) { queue = PipelineQueue(readLimit: readLimit) }

    mutating func submit(_ label: OperationLabel, _ turn: any PipelineTurn) -> (PipelineTicket, [Step]) {
        let (ticket, actions) = queue.submit(label.kind)
        entries[ticket] = Entry(label: label, turn: turn)
        return (ticket, steps(actions))
    }

    mutating func cancel(_ ticket: PipelineTicket) -> [Step] { steps(queue.cancel(ticket)) }

    mutating func finish(_ ticket: PipelineTicket) -> [Step] {
        entries[ticket] = nil
        return steps(queue.finish(ticket))
    }

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
            case .start(let ticket): entries[ticket].map { .begin($0.turn, ticket) }
            case .refuse(let ticket, let reason):
                entries.removeValue(forKey: ticket).map { .refuse($0.turn, reason.error($0.label)) }
            case .close: .close
            }
        }
    }
}

extension PipelineQueue.Refusal {
    fileprivate func error(_ label: OperationLabel) -> StoreError {
        switch self {
        case .cancelled: .cancelled(label)
        case .closed: StoreError(.closed, "\(label) was not run, because the store is closed.")
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

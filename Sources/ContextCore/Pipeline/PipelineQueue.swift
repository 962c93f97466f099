/// Decides which operation of a store may run: writes one at a time, reads together up to a number of them, each kind in the
/// order in which it was submitted.
///
/// It is a value without threads, locks or time. Events go in by calling its methods; what is to be done comes out as actions,
/// which its owner carries out after it has let go of its lock.
struct PipelineQueue {
    /// What an operation does to the store.
    enum Kind: Sendable {
        case read, write
    }

    /// Why an operation that waited will never run.
    enum Refusal: Sendable {
        case cancelled, closed
    }

    /// What is to be done about an event.
    enum Action: Equatable {
        /// Let the operation begin.
        case start(PipelineTicket)
        /// Tell the operation that it won't run.
        case refuse(PipelineTicket, Refusal)
        /// Close the store: nothing runs, and nothing will.
        case close
    }

    /// How many reads may run at once.
    let readLimit: Int
    private var lastNumber: UInt64 = 0
    private var waitingReads = WaitingLine()
    private var waitingWrites = WaitingLine()
    private(set) var runningReads: Set<PipelineTicket> = []
    private(set) var runningWrite: PipelineTicket?
    private(set) var isClosed = false

    init(readLimit: Int) {
        precondition(readLimit > 0, "A store that lets no read run would keep every one waiting for ever.")
        self.readLimit = readLimit
    }

    var waitingReadCount: Int { waitingReads.count }
    var waitingWriteCount: Int { waitingWrites.count }
    private var isIdle: Bool { runningReads.isEmpty && runningWrite == nil }

    /// An operation is submitted, and gets its ticket.
    mutating func submit(_ kind: Kind) -> (ticket: PipelineTicket, actions: [Action]) {
        lastNumber += 1
        let ticket = PipelineTicket(number: lastNumber)
        if isClosed { return (ticket, [.refuse(ticket, .closed)]) }
        switch kind {
        case .read: waitingReads.append(ticket)
        case .write: waitingWrites.append(ticket)
        }
        return (ticket, startable())
    }

    /// Somebody doesn't want an operation any more: it leaves its line, unless it is running already or was never in one.
    mutating func cancel(_ ticket: PipelineTicket) -> [Action] {
        let waited = waitingReads.remove(ticket) || waitingWrites.remove(ticket)
        return waited ? [.refuse(ticket, .cancelled)] : []
    }

    /// An operation that was started has come to its end, good or bad.
    mutating func finish(_ ticket: PipelineTicket) -> [Action] {
        if runningWrite == ticket {
            runningWrite = nil
        } else {
            precondition(runningReads.remove(ticket) != nil, "Only an operation that runs can finish.")
        }
        if isClosed { return isIdle ? [.close] : [] }
        return startable()
    }

    /// The store is to be closed: what waits is refused, what runs may finish.
    mutating func close() -> [Action] {
        if isClosed { return [] }
        isClosed = true
        let waiting = (waitingReads.removeAll() + waitingWrites.removeAll()).sorted()
        return waiting.map { .refuse($0, .closed) } + (isIdle ? [.close] : [])
    }

    private mutating func startable() -> [Action] {
        var actions: [Action] = []
        if runningWrite == nil, let next = waitingWrites.popFirst() {
            runningWrite = next
            actions.append(.start(next))
        }
        while runningReads.count < readLimit, let next = waitingReads.popFirst() {
            runningReads.insert(next)
            actions.append(.start(next))
        }
        return actions
    }
}

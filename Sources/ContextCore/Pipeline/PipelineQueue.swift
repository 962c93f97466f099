/// Decides which operation of a store may run: writes and reads together up to a number of them, each kind in the order in which it
/// was submitted; writes of a lane one at a time.
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
        case cancelled, closed, full
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

    /// What the queue goes by.
    struct Rules: Sendable {
        /// How many reads may run at once.
        var readLimit: Int
        /// How many writes may run at once, one of each lane; where it is one, lanes don't count.
        var writeLimit = 1
        /// How many operations may wait; nil for as many as come.
        var waitingLimit: Int?
        /// Whether a write runs beside nothing, and reads and writes have one order.
        var isExclusive = false
    }

    let rules: Rules
    private var lastNumber: UInt64 = 0
    private var waitingReads = WaitingLine()
    private var waitingWrites = LaneLines()
    private(set) var runningReads: Set<PipelineTicket> = []
    private(set) var runningWrites: Set<PipelineTicket> = []
    /// The lanes of those that have one.
    private var busyLanes: [String: PipelineTicket] = [:]
    private(set) var isClosed = false

    init(_ rules: Rules) {
        requirePrecondition(
            rules.readLimit > 0 && rules.writeLimit > 0,
            "A store that lets nothing run would keep everybody waiting for ever.")
        self.rules = rules
    }

    var waitingReadCount: Int { waitingReads.count }
    var waitingWriteCount: Int { waitingWrites.count }
    private var isIdle: Bool { runningReads.isEmpty && runningWrites.isEmpty }

    /// An operation is submitted, and gets its ticket; the lane is that of a write that keeps an order with others.
    mutating func submit(
        _ kind: Kind, lane: String? = nil, heedsLimit: Bool = true
    ) -> (ticket: PipelineTicket, actions: [Action]) {
        let lane = line(lane)
        if let ticket = beginAtOnce(kind, lane: lane) { return (ticket, [.start(ticket)]) }
        let ticket = takeTicket()
        if isClosed { return (ticket, [.refuse(ticket, .closed)]) }
        switch kind {
        case .read: waitingReads.append(ticket)
        case .write: waitingWrites.append(ticket, lane: lane)
        }
        let actions = startable()
        // What begins at once has not waited, however many do who need not heed the limit.
        if heedsLimit, let limit = rules.waitingLimit, waitingReads.count + waitingWrites.count > limit,
            waitingReads.remove(ticket) || waitingWrites.remove(ticket)
        {
            return (ticket, actions + [.refuse(ticket, .full)])
        }
        return (ticket, actions)
    }

    /// An operation begins that nobody is before, and gets its ticket; nil, with nothing changed, where it has to wait.
    ///
    /// Whatever waits couldn't begin before, and can't now.
    mutating func beginAtOnce(_ kind: Kind, lane: String?) -> PipelineTicket? {
        if isClosed { return nil }
        let lane = line(lane)
        let ticket = PipelineTicket(number: lastNumber + 1)
        switch kind {
        case .read:
            guard waitingReads.isEmpty, hasRoom(forRead: ticket) else { return nil }
            runningReads.insert(ticket)
        case .write:
            guard waitingWrites.isEmpty, !isBusy(lane), hasRoom(forWrite: ticket) else { return nil }
            begin(ticket, lane)
        }
        return takeTicket()
    }

    /// The line of a lane: where one write runs at a time, there is one line.
    private func line(_ lane: String?) -> String? { rules.writeLimit == 1 ? nil : lane }

    private func isBusy(_ lane: String?) -> Bool { lane.map { busyLanes[$0] != nil } ?? false }

    private mutating func begin(_ write: PipelineTicket, _ lane: String?) {
        runningWrites.insert(write)
        if let lane { busyLanes[lane] = write }
    }

    /// A write is at its end; false where it didn't run.
    private mutating func end(_ write: PipelineTicket) -> Bool {
        guard runningWrites.remove(write) != nil else { return false }
        if let lane = busyLanes.first(where: { $0.value == write })?.key { busyLanes[lane] = nil }
        return true
    }

    /// The next ticket; of an operation that has not been submitted, it is in no line.
    mutating func takeTicket() -> PipelineTicket {
        lastNumber += 1
        return PipelineTicket(number: lastNumber)
    }

    /// Somebody doesn't want an operation any more: it leaves its line, unless it is running already or was never in one.
    mutating func cancel(_ ticket: PipelineTicket) -> [Action] {
        guard waitingReads.remove(ticket) || waitingWrites.remove(ticket) else { return [] }
        // In one order, what waited behind it may have waited for it.
        return [.refuse(ticket, .cancelled)] + (rules.isExclusive && !isClosed ? startable() : [])
    }

    /// An operation that was started has come to its end, good or bad.
    mutating func finish(_ ticket: PipelineTicket) -> [Action] {
        guard runningReads.remove(ticket) != nil || end(ticket) else {
            programmingError("Only an operation that runs can finish.")
        }
        if isClosed { return isIdle ? [.close] : [] }
        return startable()
    }

    /// A write has come to its end and leaves what it did, uncommitted, to the next one of its lane.
    ///
    /// Nil, with nothing changed, where no write could begin in its place at once, or the one that could isn't wanted.
    mutating func handOver(
        _ ticket: PipelineTicket, lane: String?, if isWanted: (PipelineTicket) -> Bool
    ) -> [Action]? {
        let lane = line(lane)
        guard !isClosed, runningWrites.contains(ticket), lane != nil || rules.writeLimit == 1 else {
            return nil
        }
        // Another lane may have waited longer.
        guard let next = waitingWrites.first(outside: busyLanes, besides: lane), next.lane == lane,
            !waitsForRead(next.ticket), isWanted(next.ticket)
        else { return nil }
        waitingWrites.removeFirst(of: lane)
        runningWrites.remove(ticket)
        begin(next.ticket, lane)
        return [.start(next.ticket)]
    }

    /// The store is to be closed: what waits is refused, what runs may finish.
    mutating func close() -> [Action] {
        if isClosed { return [] }
        isClosed = true
        let waiting = (waitingReads.removeAll() + waitingWrites.removeAll()).sorted()
        return waiting.map { .refuse($0, .closed) } + (isIdle ? [.close] : [])
    }

    // MARK: What may begin

    private mutating func startable() -> [Action] {
        var actions: [Action] = []
        while let next = nextWrite() ?? nextRead() { actions.append(.start(next)) }
        return actions
    }

    private mutating func nextWrite() -> PipelineTicket? {
        guard let (lane, ticket) = waitingWrites.first(outside: busyLanes), hasRoom(forWrite: ticket)
        else { return nil }
        waitingWrites.removeFirst(of: lane)
        begin(ticket, lane)
        return ticket
    }

    /// Whether a write may begin, if it is the next one of a lane that isn't busy.
    private func hasRoom(forWrite write: PipelineTicket) -> Bool {
        if !rules.isExclusive { return runningWrites.count < rules.writeLimit }
        return isIdle && !waitsForRead(write)
    }

    /// Whether a read was submitted before a write that may run beside none.
    private func waitsForRead(_ write: PipelineTicket) -> Bool {
        guard rules.isExclusive, let read = waitingReads.first else { return false }
        return read < write
    }

    private mutating func nextRead() -> PipelineTicket? {
        guard let ticket = waitingReads.first, hasRoom(forRead: ticket) else { return nil }
        waitingReads.removeFirst()
        runningReads.insert(ticket)
        return ticket
    }

    /// Whether a read may begin, if it is the next one.
    private func hasRoom(forRead read: PipelineTicket) -> Bool {
        guard runningReads.count < rules.readLimit else { return false }
        if !rules.isExclusive { return true }
        guard runningWrites.isEmpty else { return false }
        return waitingWrites.first(outside: [:]).map { read < $0.ticket } ?? true
    }
}

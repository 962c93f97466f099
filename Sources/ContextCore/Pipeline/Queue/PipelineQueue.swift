/// The state machine that decides which operations of a store run.
///
/// Reads and writes run concurrently up to their limits, each kind in the order of submission, and writes of one lane one at a time.
///
/// It is a value without threads, locks or clocks. Each method handles an event, and returns the actions that the owner performs after
/// releasing its lock.
struct PipelineQueue {
    /// Whether an operation reads or writes.
    enum Kind: Sendable {
        case read, write
    }

    /// Why an operation won't run.
    enum Refusal: Sendable {
        case cancelled, closed, full
    }

    /// What the owner must do after an event.
    enum Action: Equatable {
        /// Start the operation.
        case start(PipelineTicket)
        /// Fail the operation without running it.
        case refuse(PipelineTicket, Refusal)
        /// Close the store: no operation is running, and none will start.
        case close
    }

    /// The limits and the discipline of the queue.
    struct Rules: Sendable {
        /// The number of reads that may run at once.
        var readLimit: Int
        /// The number of writes that may run at once, one of each lane; if it is 1, lanes are ignored.
        var writeLimit = 1
        /// The number of operations that may wait; nil for no limit.
        var waitingLimit: Int?
        /// Whether a write runs alone, and reads and writes share one order.
        var isExclusive = false
    }

    let rules: Rules
    private var lastNumber: UInt64 = 0
    private var waitingReads = TicketQueue()
    private var waitingWrites = LaneQueues()
    private(set) var runningReads: Set<PipelineTicket> = []
    private(set) var runningWrites: Set<PipelineTicket> = []
    /// The running writes that have a lane, by lane.
    private var busyLanes: [String: PipelineTicket] = [:]
    private(set) var isClosed = false

    init(_ rules: Rules) {
        requirePrecondition(
            rules.readLimit > 0 && rules.writeLimit > 0,
            "The limits of concurrent reads and writes must be at least 1.")
        self.rules = rules
    }

    var waitingReadCount: Int { waitingReads.count }
    var waitingWriteCount: Int { waitingWrites.count }
    private var isIdle: Bool { runningReads.isEmpty && runningWrites.isEmpty }

    /// Submits an operation, and returns its ticket.
    mutating func submit(
        _ kind: Kind, lane: String? = nil, enforcesLimit: Bool = true
    ) -> (ticket: PipelineTicket, actions: [Action]) {
        let lane = queueLane(lane)
        if let ticket = startImmediately(kind, lane: lane) { return (ticket, [.start(ticket)]) }
        let ticket = issueTicket()
        if isClosed { return (ticket, [.refuse(ticket, .closed)]) }
        switch kind {
        case .read: waitingReads.append(ticket)
        case .write: waitingWrites.append(ticket, lane: lane)
        }
        let actions = startReadyOperations()
        // An operation that starts at once never counts as waiting, even if operations that ignore the limit exceed it.
        if enforcesLimit, let limit = rules.waitingLimit, waitingReads.count + waitingWrites.count > limit,
            waitingReads.remove(ticket) || waitingWrites.remove(ticket)
        {
            return (ticket, actions + [.refuse(ticket, .full)])
        }
        return (ticket, actions)
    }

    /// Starts an operation at once if none is queued ahead of it, and returns its ticket; returns nil if it must wait.
    ///
    /// It starts no waiting operation.
    mutating func startImmediately(_ kind: Kind, lane: String?) -> PipelineTicket? {
        if isClosed { return nil }
        let lane = queueLane(lane)
        let ticket = PipelineTicket(number: lastNumber + 1)
        switch kind {
        case .read:
            guard waitingReads.isEmpty, hasRoom(forRead: ticket) else { return nil }
            runningReads.insert(ticket)
        case .write:
            guard waitingWrites.isEmpty, !isBusy(lane), hasRoom(forWrite: ticket) else { return nil }
            beginWrite(ticket, lane)
        }
        return issueTicket()
    }

    /// Returns the lane whose queue a write joins; with a write limit of 1, all writes share the queue without a lane.
    private func queueLane(_ lane: String?) -> String? { rules.writeLimit == 1 ? nil : lane }

    private func isBusy(_ lane: String?) -> Bool { lane.map { busyLanes[$0] != nil } ?? false }

    private mutating func beginWrite(_ write: PipelineTicket, _ lane: String?) {
        runningWrites.insert(write)
        if let lane { busyLanes[lane] = write }
    }

    /// Ends a write; returns false if it wasn't running.
    private mutating func endWrite(_ write: PipelineTicket) -> Bool {
        guard runningWrites.remove(write) != nil else { return false }
        if let lane = busyLanes.first(where: { $0.value == write })?.key { busyLanes[lane] = nil }
        return true
    }

    /// Issues the next ticket without queueing an operation.
    mutating func issueTicket() -> PipelineTicket {
        lastNumber += 1
        return PipelineTicket(number: lastNumber)
    }

    /// Removes a waiting operation from its queue; does nothing if the operation isn't waiting.
    mutating func cancel(_ ticket: PipelineTicket) -> [Action] {
        guard waitingReads.remove(ticket) || waitingWrites.remove(ticket) else { return [] }
        // If reads and writes share one order, operations behind it may be able to start now.
        return [.refuse(ticket, .cancelled)] + (rules.isExclusive && !isClosed ? startReadyOperations() : [])
    }

    /// Records that a running operation has ended.
    mutating func finish(_ ticket: PipelineTicket) -> [Action] {
        guard runningReads.remove(ticket) != nil || endWrite(ticket) else {
            programmingError("An operation finished that was not running.")
        }
        if isClosed { return isIdle ? [.close] : [] }
        return startReadyOperations()
    }

    /// Ends a write whose changes are uncommitted, and starts the next write of its lane, which takes over its group.
    ///
    /// - Returns: The actions; nil if no write can start at once or `isWanted` rejects it, and then the write is still running.
    mutating func handOver(
        _ ticket: PipelineTicket, lane: String?, if isWanted: (PipelineTicket) -> Bool
    ) -> [Action]? {
        let lane = queueLane(lane)
        guard !isClosed, runningWrites.contains(ticket), lane != nil || rules.writeLimit == 1 else {
            return nil
        }
        // A write in another lane may have waited longer.
        guard let next = waitingWrites.first(outside: busyLanes, ignoringBusy: lane), next.lane == lane,
            !waitsForRead(next.ticket), isWanted(next.ticket)
        else { return nil }
        waitingWrites.removeFirst(of: lane)
        runningWrites.remove(ticket)
        beginWrite(next.ticket, lane)
        return [.start(next.ticket)]
    }

    /// Closes the queue: refuses waiting operations, and lets running ones finish.
    mutating func close() -> [Action] {
        if isClosed { return [] }
        isClosed = true
        let waiting = (waitingReads.removeAll() + waitingWrites.removeAll()).sorted()
        return waiting.map { .refuse($0, .closed) } + (isIdle ? [.close] : [])
    }

    // MARK: Starting operations

    private mutating func startReadyOperations() -> [Action] {
        var actions: [Action] = []
        while let next = startNextWrite() ?? startNextRead() { actions.append(.start(next)) }
        return actions
    }

    private mutating func startNextWrite() -> PipelineTicket? {
        guard let (lane, ticket) = waitingWrites.first(outside: busyLanes), hasRoom(forWrite: ticket)
        else { return nil }
        waitingWrites.removeFirst(of: lane)
        beginWrite(ticket, lane)
        return ticket
    }

    /// Whether the write may start; it must be the next one of a lane that isn't busy.
    private func hasRoom(forWrite write: PipelineTicket) -> Bool {
        if !rules.isExclusive { return runningWrites.count < rules.writeLimit }
        return isIdle && !waitsForRead(write)
    }

    /// Whether a read submitted before an exclusive write is still waiting.
    private func waitsForRead(_ write: PipelineTicket) -> Bool {
        guard rules.isExclusive, let read = waitingReads.first else { return false }
        return read < write
    }

    private mutating func startNextRead() -> PipelineTicket? {
        guard let ticket = waitingReads.first, hasRoom(forRead: ticket) else { return nil }
        waitingReads.removeFirst()
        runningReads.insert(ticket)
        return ticket
    }

    /// Whether the read may start; it must be the next one.
    private func hasRoom(forRead read: PipelineTicket) -> Bool {
        guard runningReads.count < rules.readLimit else { return false }
        if !rules.isExclusive { return true }
        guard runningWrites.isEmpty else { return false }
        return waitingWrites.first(outside: [:]).map { read < $0.ticket } ?? true
    }
}

import RandomSeeds

@testable import ContextCore

/// Feeds random events to a queue, and checks the invariants after each.
struct QueueRun {
    private struct Operation {
        let kind: PipelineQueue.Kind
        let lane: String?
    }

    private let rules: PipelineQueue.Rules
    private var queue: PipelineQueue
    private var random: SeededRandom
    /// The waiting and the running operations.
    private var waiting: [PipelineTicket: Operation] = [:]
    private var running: [PipelineTicket: Operation] = [:]
    private var lastStartedRead: PipelineTicket?
    private var lastStartedWrites: [String?: PipelineTicket] = [:]
    private var lastTicket: PipelineTicket?
    private var closeCount = 0
    private var isClosing = false
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        rules = PipelineQueue.Rules(
            readLimit: Int.random(in: 1...3, using: &random),
            writeLimit: Int.random(in: 1...3, using: &random),
            waitingLimit: Bool.random(using: &random) ? nil : Int.random(in: 1...6, using: &random),
            isExclusive: Int.random(in: 0..<3, using: &random) == 0)
        queue = PipelineQueue(rules)
    }

    // MARK: Events

    /// Simulates one event.
    mutating func step() {
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<270: submit(.write)
        case 270..<540: submit(.read)
        case 540..<640: if let ticket = pick(waiting) { cancel(ticket) }
        case 640..<660: if let ticket = pick(running) { cancel(ticket) }
        case 660..<760: handOver()
        case 760..<990: finishOne()
        default: close()
        }
        check()
    }

    /// Lets all operations end, and checks that they have.
    mutating func drain() {
        while !running.isEmpty {
            finishOne()
            check()
        }
        demand(isClosing || waiting.isEmpty, "waiting operations start after others have ended")
        close()
        check()
        demand(waiting.isEmpty, "every operation ends")
        demand(closeCount == 1, "the store is closed once")
    }

    private mutating func submit(_ kind: PipelineQueue.Kind) {
        // With one write at a time, there is one lane.
        let named = ["a", "b", nil][Int.random(in: 0..<3, using: &random)]
        let lane = rules.writeLimit == 1 ? nil : named
        let enforcesLimit = Int.random(in: 0..<10, using: &random) > 0
        let before = waiting.count
        let (ticket, actions) = queue.submit(kind, lane: named, enforcesLimit: enforcesLimit)
        demand(lastTicket.map { $0 < ticket } ?? true, "tickets grow")
        lastTicket = ticket
        waiting[ticket] = Operation(kind: kind, lane: lane)
        carryOut(actions)
        guard enforcesLimit, !isClosing, let limit = rules.waitingLimit else { return }
        demand(waiting.count <= max(limit, before), "the waiting limit is respected")
    }

    private mutating func cancel(_ ticket: PipelineTicket) {
        let isWaiting = waiting[ticket] != nil
        let actions = queue.cancel(ticket)
        demand(
            isWaiting == (actions.first == .refuse(ticket, .cancelled)),
            "waiting operations are cancelled, and running ones are not")
        carryOut(actions)
    }

    private mutating func finishOne() {
        guard let ticket = pick(running) else { return }
        running[ticket] = nil
        carryOut(queue.finish(ticket))
    }

    /// Hands the position of a write over to the next one.
    private mutating func handOver() {
        guard let ticket = pick(running.filter { $0.value.kind == .write }), let write = running[ticket]
        else {
            return
        }
        let isWanted = Bool.random(using: &random)
        guard let actions = queue.handOver(ticket, lane: write.lane, if: { _ in isWanted }) else { return }
        demand(isWanted && actions.count == 1, "one operation takes over if possible")
        running[ticket] = nil
        carryOut(actions)
        demand(
            running.values.contains { $0.kind == .write && $0.lane == write.lane },
            "an operation of the same lane takes over")
    }

    private mutating func close() {
        isClosing = true
        carryOut(queue.close())
    }

    // MARK: Actions

    private mutating func carryOut(_ actions: [PipelineQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let ticket): start(ticket)
            case .refuse(let ticket, let reason):
                demand(waiting.removeValue(forKey: ticket) != nil, "only waiting operations are rejected")
                demand(reason != .closed || isClosing, "operations are rejected as closed only while closing")
            case .close:
                closeCount += 1
                demand(isClosing && running.isEmpty, "no operation runs when the store is closed")
            }
        }
    }

    private mutating func start(_ ticket: PipelineTicket) {
        demand(!isClosing, "no operation starts while closing")
        guard let operation = waiting.removeValue(forKey: ticket) else {
            return demand(false, "only waiting operations start")
        }
        running[ticket] = operation
        if rules.isExclusive {
            demand(
                waiting.keys.allSatisfy { ticket < $0 }, "the exclusive discipline has one order")
        }
        switch operation.kind {
        case .read:
            demand(lastStartedRead.map { $0 < ticket } ?? true, "reads start in order")
            lastStartedRead = ticket
        case .write:
            demand(
                lastStartedWrites[operation.lane].map { $0 < ticket } ?? true,
                "writes of a lane start in order")
            lastStartedWrites[operation.lane] = ticket
        }
    }

    // MARK: Invariants

    private mutating func check() {
        let reads = running.filter { $0.value.kind == .read }
        let writes = running.filter { $0.value.kind == .write }
        let lanes = writes.values.compactMap(\.lane)
        demand(Set(lanes).count == lanes.count, "one write of a lane runs at a time")
        demand(
            writes.count <= (rules.isExclusive ? 1 : rules.writeLimit), "the write limit is respected")
        demand(reads.count <= rules.readLimit, "the read limit is respected")
        demand(
            !rules.isExclusive || reads.isEmpty || writes.isEmpty,
            "a write runs alone in the exclusive discipline")
        demand(
            queue.runningReads == Set(reads.keys) && queue.runningWrites == Set(writes.keys),
            "the queue counts running operations")
        let waitingReads = waiting.values.count { $0.kind == .read }
        demand(queue.waitingReadCount == waitingReads, "the queue counts waiting reads")
        demand(
            queue.waitingWriteCount == waiting.count - waitingReads, "the queue counts waiting writes")
        if !isClosing { checkThatNobodyWaitsForNothing(reads.count, writes) }
    }

    private mutating func checkThatNobodyWaitsForNothing(
        _ reads: Int, _ writes: [PipelineTicket: Operation]
    ) {
        if rules.isExclusive {
            guard let first = waiting.min(by: { $0.key < $1.key }) else { return }
            let isHeld =
                first.value.kind == .write
                ? !running.isEmpty : !writes.isEmpty || reads == rules.readLimit
            return demand(isHeld, "the first operation waits without a reason")
        }
        let busy = Set(writes.values.compactMap(\.lane))
        for operation in waiting.values {
            switch operation.kind {
            case .read: demand(reads == rules.readLimit, "a read waits without a reason")
            case .write:
                demand(
                    operation.lane.map(busy.contains) == true || writes.count == rules.writeLimit,
                    "a write waits without a reason")
            }
        }
    }

    private mutating func pick(_ operations: [PipelineTicket: Operation]) -> PipelineTicket? {
        // Sorted, so that a seed always gives the same run.
        operations.keys.sorted().randomElement(using: &random)
    }

    private mutating func demand(_ condition: Bool, _ sentence: String) {
        if !condition { violations.append(sentence) }
    }
}

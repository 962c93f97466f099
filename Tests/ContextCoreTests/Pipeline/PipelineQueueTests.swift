import Testing

@testable import ContextCore

struct PipelineQueueTests {
    @Test func `The first write begins at once and the second when it has finished`() {
        var queue = PipelineQueue(readLimit: 1)
        let first = queue.submit(.write)
        let second = queue.submit(.write)
        #expect(first.actions == [.start(first.ticket)])
        #expect(second.actions.isEmpty)
        #expect(queue.finish(first.ticket) == [.start(second.ticket)])
    }

    @Test func `Reads run beside a write, up to their limit`() {
        var queue = PipelineQueue(readLimit: 2)
        let write = queue.submit(.write)
        let reads = (0..<3).map { _ in queue.submit(.read) }
        #expect(write.actions == [.start(write.ticket)])
        #expect(reads.map(\.actions.count) == [1, 1, 0])
        #expect(queue.finish(reads[1].ticket) == [.start(reads[2].ticket)])
    }

    @Test func `An operation that is cancelled while it waits is refused and passed over`() {
        var queue = PipelineQueue(readLimit: 1)
        let first = queue.submit(.write)
        let second = queue.submit(.write)
        let third = queue.submit(.write)
        #expect(queue.cancel(second.ticket) == [.refuse(second.ticket, .cancelled)])
        #expect(queue.cancel(second.ticket).isEmpty)
        #expect(queue.finish(first.ticket) == [.start(third.ticket)])
    }

    @Test func `Cancelling what runs is left to the one that runs it`() {
        var queue = PipelineQueue(readLimit: 1)
        let write = queue.submit(.write)
        #expect(queue.cancel(write.ticket).isEmpty)
        #expect(queue.runningWrite == write.ticket)
    }

    @Test func `Closing refuses what waits and closes after what runs`() {
        var queue = PipelineQueue(readLimit: 1)
        let write = queue.submit(.write)
        let waiting = queue.submit(.write)
        let read = queue.submit(.read)
        #expect(queue.close() == [.refuse(waiting.ticket, .closed)])
        #expect(queue.close().isEmpty)
        let late = queue.submit(.read)
        #expect(late.actions == [.refuse(late.ticket, .closed)])
        #expect(queue.finish(write.ticket).isEmpty)
        #expect(queue.finish(read.ticket) == [.close])
    }

    @Test func `Nothing runs, so closing closes at once`() {
        var queue = PipelineQueue(readLimit: 1)
        #expect(queue.close() == [.close])
    }

    @Test func `Any sequence of events keeps the order and the limits`() {
        for seed in 0..<2000 as Range<UInt64> {
            var run = QueueRun(seed: seed)
            for _ in 0..<200 { run.step() }
            run.drain()
            #expect(run.violations.isEmpty, "seed \(seed)")
        }
    }
}

/// Feeds random events to a queue and checks after each that what must always be true is.
private struct QueueRun {
    private enum Fate {
        case waiting, running, over
    }

    private struct Operation {
        let kind: PipelineQueue.Kind
        var fate = Fate.waiting
    }

    private var queue: PipelineQueue
    private var random: SeededRandom
    private var operations: [PipelineTicket: Operation] = [:]
    private var lastStarted: [PipelineQueue.Kind: PipelineTicket] = [:]
    private var lastTicket: PipelineTicket?
    private var closeCount = 0
    private var isClosing = false
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        queue = PipelineQueue(readLimit: Int.random(in: 1...4, using: &random))
    }

    /// Lets one event happen.
    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: submit(.write)
        case 25..<55: submit(.read)
        case 55..<65: if let ticket = pick(.waiting) { carryOut(queue.cancel(ticket)) }
        case 65..<68: if let ticket = pick(.running) { carryOut(queue.cancel(ticket)) }
        case 68..<99: finishOne()
        default:
            if Int.random(in: 0..<10, using: &random) == 0 { close() }
        }
        check()
    }

    /// Lets everything come to its end, and checks that it did.
    mutating func drain() {
        while pick(.running) != nil { finishOne() }
        close()
        while pick(.running) != nil { finishOne() }
        check()
        demand(operations.values.allSatisfy { $0.fate == .over }, "every operation comes to its end")
        demand(closeCount == 1, "the store is closed once")
    }

    private mutating func submit(_ kind: PipelineQueue.Kind) {
        let (ticket, actions) = queue.submit(kind)
        demand(lastTicket.map { $0 < ticket } ?? true, "tickets grow")
        lastTicket = ticket
        operations[ticket] = Operation(kind: kind)
        carryOut(actions)
    }

    private mutating func finishOne() {
        guard let ticket = pick(.running) else { return }
        operations[ticket]?.fate = .over
        carryOut(queue.finish(ticket))
    }

    private mutating func close() {
        isClosing = true
        carryOut(queue.close())
    }

    private mutating func carryOut(_ actions: [PipelineQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let ticket): start(ticket)
            case .refuse(let ticket, _):
                demand(operations[ticket]?.fate == .waiting, "only what waits is refused")
                operations[ticket]?.fate = .over
            case .close:
                closeCount += 1
                demand(isClosing && pick(.running) == nil, "nothing runs when the store is closed")
            }
        }
    }

    private mutating func start(_ ticket: PipelineTicket) {
        guard let operation = operations[ticket] else {
            return demand(false, "only what was submitted begins")
        }
        demand(operation.fate == .waiting, "what begins has waited")
        demand(!isClosing, "nothing begins in a store that is closing")
        demand(lastStarted[operation.kind].map { $0 < ticket } ?? true, "operations begin in order")
        lastStarted[operation.kind] = ticket
        operations[ticket]?.fate = .running
    }

    private mutating func check() {
        let reads = tickets(.running, .read)
        let writes = tickets(.running, .write)
        demand(writes.count <= 1, "one write runs at a time")
        demand(reads.count <= queue.readLimit, "no more reads run than may")
        demand(queue.runningReads == reads && queue.runningWrite == writes.first, "the queue knows what runs")
        let waitingReads = tickets(.waiting, .read)
        let waitingWrites = tickets(.waiting, .write)
        demand(queue.waitingReadCount == waitingReads.count, "the queue knows the reads that wait")
        demand(queue.waitingWriteCount == waitingWrites.count, "the queue knows the writes that wait")
        demand(waitingWrites.isEmpty || !writes.isEmpty, "no write waits for nothing")
        demand(waitingReads.isEmpty || reads.count == queue.readLimit, "no read waits for nothing")
    }

    private func tickets(_ fate: Fate, _ kind: PipelineQueue.Kind) -> Set<PipelineTicket> {
        Set(operations.filter { $0.value.fate == fate && $0.value.kind == kind }.keys)
    }

    private mutating func pick(_ fate: Fate) -> PipelineTicket? {
        operations.filter { $0.value.fate == fate }.keys.sorted().randomElement(using: &random)
    }

    private mutating func demand(_ condition: Bool, _ sentence: String) {
        if !condition { violations.append(sentence) }
    }
}

import Testing

@testable import ContextCore

struct PipelineQueueTests {
    @Test func `The first write begins at once and the second when it has finished`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let first = queue.submit(.write)
        let second = queue.submit(.write)
        #expect(first.actions == [.start(first.ticket)])
        #expect(second.actions.isEmpty)
        #expect(queue.finish(first.ticket) == [.start(second.ticket)])
    }

    @Test func `Reads run beside a write, up to their limit`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 2))
        let write = queue.submit(.write)
        let reads = (0..<3).map { _ in queue.submit(.read) }
        #expect(write.actions == [.start(write.ticket)])
        #expect(reads.map(\.actions.count) == [1, 1, 0])
        #expect(queue.finish(reads[1].ticket) == [.start(reads[2].ticket)])
    }

    @Test func `An operation that is cancelled while it waits is refused and passed over`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let first = queue.submit(.write)
        let second = queue.submit(.write)
        let third = queue.submit(.write)
        #expect(queue.cancel(second.ticket) == [.refuse(second.ticket, .cancelled)])
        #expect(queue.cancel(second.ticket).isEmpty)
        #expect(queue.finish(first.ticket) == [.start(third.ticket)])
    }

    @Test func `Cancelling what runs is left to the one that runs it`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let write = queue.submit(.write)
        #expect(queue.cancel(write.ticket).isEmpty)
        #expect(queue.runningWrites == ["main": write.ticket])
    }

    @Test func `Closing refuses what waits and closes after what runs`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
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
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        #expect(queue.close() == [.close])
    }

    @Test func `Any sequence of events keeps the order and the limits`() {
        for seed in 0..<300 as Range<UInt64> {
            var run = QueueRun(seed: seed)
            for _ in 0..<200 { run.step() }
            run.drain()
            #expect(run.violations.isEmpty, "seed \(seed)")
        }
    }
}

/// Feeds random events to a queue and checks after each that what must always be true is.
private struct QueueRun {
    private typealias Kind = PipelineQueue.Kind

    private var queue: PipelineQueue
    private var random: SeededRandom
    private var waiting: [Kind: Set<PipelineTicket>] = [.read: [], .write: []]
    private var running: [Kind: Set<PipelineTicket>] = [.read: [], .write: []]
    private var lastStarted: [Kind: PipelineTicket] = [:]
    private var lastTicket: PipelineTicket?
    private var closeCount = 0
    private var isClosing = false
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        queue = PipelineQueue(PipelineQueue.Rules(readLimit: Int.random(in: 1...4, using: &random)))
    }

    /// Lets one event happen.
    mutating func step() {
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<250: submit(.write)
        case 250..<550: submit(.read)
        case 550..<650: if let ticket = pick(waiting) { carryOut(queue.cancel(ticket)) }
        case 650..<680: if let ticket = pick(running) { carryOut(queue.cancel(ticket)) }
        case 680..<999: finishOne()
        default: close()
        }
        check()
    }

    /// Lets everything come to its end, and checks that it did.
    mutating func drain() {
        while pick(running) != nil { finishOne() }
        close()
        check()
        demand(waiting.values.allSatisfy(\.isEmpty), "every operation comes to its end")
        demand(closeCount == 1, "the store is closed once")
    }

    private mutating func submit(_ kind: Kind) {
        let (ticket, actions) = queue.submit(kind)
        demand(lastTicket.map { $0 < ticket } ?? true, "tickets grow")
        lastTicket = ticket
        waiting[kind]?.insert(ticket)
        carryOut(actions)
    }

    private mutating func finishOne() {
        guard let ticket = pick(running) else { return }
        _ = remove(ticket, from: &running)
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
                demand(remove(ticket, from: &waiting) != nil, "only what waits is refused")
            case .close:
                closeCount += 1
                demand(isClosing && pick(running) == nil, "nothing runs when the store is closed")
            }
        }
    }

    private mutating func start(_ ticket: PipelineTicket) {
        demand(!isClosing, "nothing begins in a store that is closing")
        guard let kind = remove(ticket, from: &waiting) else {
            return demand(false, "what begins has waited")
        }
        demand(lastStarted[kind].map { $0 < ticket } ?? true, "operations begin in order")
        lastStarted[kind] = ticket
        running[kind]?.insert(ticket)
    }

    private mutating func check() {
        let reads = running[.read, default: []]
        let writes = running[.write, default: []]
        demand(writes.count <= 1, "one write runs at a time")
        demand(reads.count <= queue.rules.readLimit, "no more reads run than may")
        demand(
            queue.runningReads == reads && Set(queue.runningWrites.values) == writes,
            "the queue knows what runs")
        let waitingReads = waiting[.read, default: []].count
        let waitingWrites = waiting[.write, default: []].count
        demand(queue.waitingReadCount == waitingReads, "the queue knows the reads that wait")
        demand(queue.waitingWriteCount == waitingWrites, "the queue knows the writes that wait")
        demand(waitingWrites == 0 || !writes.isEmpty, "no write waits for nothing")
        demand(waitingReads == 0 || reads.count == queue.rules.readLimit, "no read waits for nothing")
    }

    private func remove(_ ticket: PipelineTicket, from sets: inout [Kind: Set<PipelineTicket>]) -> Kind? {
        for kind in [Kind.read, .write] where sets[kind]?.remove(ticket) != nil { return kind }
        return nil
    }

    private mutating func pick(_ sets: [Kind: Set<PipelineTicket>]) -> PipelineTicket? {
        let kinds: [Kind] = Bool.random(using: &random) ? [.read, .write] : [.write, .read]
        let candidates = kinds.compactMap { sets[$0] }.first { !$0.isEmpty }
        // Sorted, so that a seed always does the same.
        return candidates?.sorted().randomElement(using: &random)
    }

    private mutating func demand(_ condition: Bool, _ sentence: String) {
        if !condition { violations.append(sentence) }
    }
}

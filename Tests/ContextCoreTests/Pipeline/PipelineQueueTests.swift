import Foundation
import Testing

@testable import ContextCore

struct PipelineQueueTests {
    @Test func `The first write starts at once, and the second one after it`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let first = queue.submit(.write)
        let second = queue.submit(.write)
        #expect(first.actions == [.start(first.ticket)])
        #expect(second.actions.isEmpty)
        #expect(queue.finish(first.ticket) == [.start(second.ticket)])
    }

    @Test func `Only an operation without predecessors starts without queueing`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let write = queue.startImmediately(.write, lane: "a")
        #expect(write != nil && queue.startImmediately(.write, lane: "b") == nil)
        let read = queue.startImmediately(.read, lane: "")
        #expect(read.map { $0 > write ?? $0 } == true && queue.startImmediately(.read, lane: "") == nil)
        // Later operations don't overtake the waiting ones.
        let waiting = queue.submit(.read)
        #expect(waiting.actions.isEmpty)
        #expect(read.map { queue.finish($0) } == [.start(waiting.ticket)])
        _ = queue.close()
        #expect(write.map { queue.finish($0) } == [] && queue.startImmediately(.write, lane: "a") == nil)
    }

    @Test func `In a single order, nothing starts during a write or before waiting writes`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 2, isExclusive: true))
        let read = queue.startImmediately(.read, lane: "")
        #expect(read != nil && queue.startImmediately(.write, lane: "a") == nil)
        let write = queue.submit(.write)
        #expect(write.actions.isEmpty && queue.startImmediately(.read, lane: "") == nil)
        #expect(read.map { queue.finish($0) } == [.start(write.ticket)])
        #expect(queue.startImmediately(.read, lane: "") == nil)
    }

    @Test func `Reads run during a write, up to their limit`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 2))
        let write = queue.submit(.write)
        let reads = (0..<3).map { _ in queue.submit(.read) }
        #expect(write.actions == [.start(write.ticket)])
        #expect(reads.map(\.actions.count) == [1, 1, 0])
        #expect(queue.finish(reads[1].ticket) == [.start(reads[2].ticket)])
    }

    @Test func `An operation that is cancelled while it waits is rejected and skipped`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let first = queue.submit(.write)
        let second = queue.submit(.write)
        let third = queue.submit(.write)
        #expect(queue.cancel(second.ticket) == [.refuse(second.ticket, .cancelled)])
        #expect(queue.cancel(second.ticket).isEmpty)
        #expect(queue.finish(first.ticket) == [.start(third.ticket)])
    }

    @Test func `A running operation handles its cancellation itself`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        let write = queue.submit(.write)
        #expect(queue.cancel(write.ticket).isEmpty)
        #expect(queue.runningWrites == [write.ticket])
    }

    @Test func `Closing rejects waiting operations, and ends after running ones`() {
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

    @Test func `Without running operations, closing ends at once`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1))
        #expect(queue.close() == [.close])
    }

    @Test func `An immediate operation is not rejected, whatever waits`() {
        var queue = PipelineQueue(PipelineQueue.Rules(readLimit: 1, waitingLimit: 1))
        _ = queue.submit(.read)
        for _ in 0..<2 { _ = queue.submit(.read, enforcesLimit: false) }
        let write = queue.submit(.write)
        #expect(write.actions == [.start(write.ticket)])
    }

    /// `STORE_QUEUE_SEQUENCES` is the number of sequences, and `STORE_QUEUE_SEED` the first seed.
    @Test func `Any sequence of events keeps the order and the limits`() {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STORE_QUEUE_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["STORE_QUEUE_SEQUENCES"].flatMap(UInt64.init) ?? 2000
        for seed in first..<first + count {
            var run = QueueRun(seed: seed)
            for _ in 0..<40 { run.step() }
            run.drain()
            guard run.violations.isEmpty else {
                Issue.record("STORE_QUEUE_SEED=\(seed): \(run.violations)")
                return
            }
        }
    }
}

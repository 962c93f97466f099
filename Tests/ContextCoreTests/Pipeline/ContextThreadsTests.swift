import ChildProcesses
import Dispatch
import Foundation
import Testing

@testable import ContextCore

/// The number of threads for contexts is bounded, however many contexts wait for the store.
@Suite(.timeLimit(.minutes(20))) struct ContextThreadsTests {
    @Test func `10,000 contexts that wait for the store stay within the thread limit`() async {
        // In a separate process, in which nothing else creates threads.
        await #expect(processExitsWith: .success) {
            alarm(600)
            let fixture = try StepStore(readLimit: 4)
            fixture.coordinator.readGate.shut()
            let before = ThreadCount.current
            let tasks = (0..<10_000).map { number in
                let editor = fixture.store.makeBackgroundContext(name: "\(number)")
                return Task { try await editor.perform { try $0.fetch(Remark.self).count } }
            }
            var most = 0
            for _ in 0..<50 {
                try await Task.sleep(for: .milliseconds(20))
                most = max(most, ThreadCount.current)
            }
            fixture.coordinator.readGate.open()
            for task in tasks {
                let count = try await task.value
                precondition(count == 0)
            }
            // The threads of contexts, of the store, and of the cooperative pool.
            let bound = 4 + 1 + StoreOptions.spareContextThreads + 6
            let pool = ProcessInfo.processInfo.activeProcessorCount + 8
            precondition(most - before <= bound + pool, "\(most) threads, \(before) before")
        }
    }

    @Test func `Children of one parent wait on few threads, and the parent continues`() async throws {
        let store = try StepStore().store
        let parent = store.makeBackgroundContext(name: "parent")
        let children = await (0..<300).asyncMap { await parent.makeChild(name: "\($0)") }
        let tasks = children.map { child in
            Task { try await child.perform { try $0.fetch(Remark.self).count } }
        }
        for number in 0..<20 {
            try await parent.perform { context in
                _ = Remark(in: context, text: "\(number)")
                try context.save()
            }
        }
        for task in tasks { #expect(try await task.value <= 20) }
    }

    @Test func `Blocks that wait for contexts without threads all end`() async throws {
        let store = try StepStore().store
        let others = (0..<100).map { store.makeBackgroundContext(name: "other \($0)") }
        let isFull = DispatchSemaphore(value: 0)
        let waiting = others.map { other in
            let editor = store.makeBackgroundContext(name: "for \(other.name)")
            return Task {
                try await editor.perform { _ in
                    isFull.signal()
                    // By then, blocks that wait occupy all threads.
                    usleep(50_000)
                    return try performLater(other) { try $0.fetch(Remark.self).count }
                }
            }
        }
        let behind = others.map { other in
            Task { try await other.perform { try $0.fetch(Remark.self).count } }
        }
        for task in waiting + behind { #expect(try await task.value == 0) }
    }

    @Test func `A thread that waits for a context precedes contexts without threads`() async throws {
        let store = try StepStore().store
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let blocks = (0..<200).map { number in
            let editor = store.makeBackgroundContext(name: "\(number)")
            return Task {
                try await editor.perform { _ in
                    begun.signal()
                    mayEnd.wait()
                }
            }
        }
        try await onThread {
            begun.wait()
            // These blocks wait for this thread, which the documentation doesn't forbid.
            let editor = store.makeBackgroundContext(name: "mine")
            let queued = DispatchSemaphore(value: 0)
            editor.perform { _ in
                queued.signal()
            } completion: { _ in
            }
            try editor.performAndWait { _ = try $0.fetch(Remark.self) }
            #expect(queued.wait(timeout: .now()) == .success)
            for _ in 0..<200 { mayEnd.signal() }
        }
        for block in blocks { try await block.value }
    }

    @Test func `Blocks that wait for tasks of other contexts end`() async throws {
        let store = try StepStore().store
        let tasks = (0..<60).map { number in
            let (editor, other) = (
                store.makeBackgroundContext(name: "\(number)"), store.makeBackgroundContext(name: "other")
            )
            return Task {
                try await editor.perform { _ in
                    let isDone = DispatchSemaphore(value: 0)
                    other.perform { _ in
                        isDone.signal()
                    } completion: { _ in
                    }
                    return isDone.wait(timeout: .now() + 300) == .success
                }
            }
        }
        for task in tasks { #expect(try await task.value) }
    }

    @Test func `A busy context yields its thread to others in between`() async throws {
        let store = try StepStore().store
        let isOver = Guarded(false)
        let busy = (0..<60).map { store.makeBackgroundContext(name: "busy \($0)") }
        // Without tasks, since the cooperative pool could not run that many.
        @Sendable func submitNext(_ editor: ContextActor) {
            editor.submit({ _ in usleep(100) }, completion: { _ in })
            if isOver.withLock({ $0 }) { return }
            editor.submit({ _ in submitNext(editor) }, completion: { _ in })
        }
        for editor in busy { submitNext(editor) }
        for number in 0..<20 {
            try await store.makeBackgroundContext(name: "late \(number)").perform { _ in }
        }
        isOver.withLock { $0 = true }
    }
}

extension ContextThreadsTests {
    @Test func `A context that got an extra thread gets one again when it waits again`() {
        let started = HandRunThreads()
        let environment = PipelineEnvironment(
            makeThreads: { _, _ in started }, now: { .now }, pause: { _, _ in }, later: { _, _ in },
            chance: { 0 })
        let threads = ContextThreads(environment, limit: 1)
        let (long, mine) = (
            ContextExecutor(name: "long", threads: threads), ContextExecutor(name: "mine", threads: threads)
        )
        let runs = Guarded(0)
        #expect(threads.run(for: long) {})
        #expect(!threads.run(for: mine) { runs.withLock { $0 += 1 } })
        threads.expedite(mine)
        #expect(!threads.run(for: mine) { runs.withLock { $0 += 1 } })
        started.runAll()
        #expect(runs.withLock { $0 } == 2 && !threads.isContended)
    }

    @Test func `An executor may be released at the end of its work, during the enqueuing`() async {
        // In a separate process, since a use of freed memory would end it.
        await #expect(processExitsWith: .success) {
            let started = HandRunThreads()
            let environment = PipelineEnvironment(
                makeThreads: { _, _ in started }, now: { .now }, pause: { _, _ in },
                // Called after the work has been queued, and before the enqueuing call returns.
                later: { _, _ in started.runAll() }, chance: { 0 })
            let threads = ContextThreads(environment, limit: 1)
            _ = threads.run(for: ContextExecutor(name: "long", threads: threads)) {}
            // Unmanaged: a task that is switched to an executor doesn't retain it either.
            let executor = Unmanaged.passRetained(ContextExecutor(name: "mine", threads: threads))
            executor._withUnsafeGuaranteedRef { $0.enqueue { executor.release() } }
        }
    }
}

/// Threads whose work a test runs itself.
private final class HandRunThreads: BlockingThreadPool {
    private let work = Guarded<[@Sendable () -> Void]>([])

    var count: Int { work.withLock { $0.count } }

    func run(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }
    func willBeFree() {}
    func close(whenEmpty: @escaping @Sendable () -> Void) { whenEmpty() }

    func runAll() {
        while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
    }
}

/// Waits for another context in a block, without a task.
private func performLater<Value: Sendable>(
    _ editor: ContextActor, _ body: @Sendable (ObjectContext) throws -> Value
) throws -> Value {
    try editor.performAndWait(body)
}

/// The number of threads of the process.
private enum ThreadCount {
    static var current: Int {
        #if os(Linux)
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        #else
        0
        #endif
    }
}

extension Range<Int> {
    fileprivate func asyncMap<Value>(_ make: (Int) async -> Value) async -> [Value] {
        var values: [Value] = []
        for number in self { values.append(await make(number)) }
        return values
    }
}

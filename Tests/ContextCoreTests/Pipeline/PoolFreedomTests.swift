import ChildProcesses
import ContextCore
import Dispatch
import Foundation
import Synchronization
import Testing

/// Waiting for a store doesn't block threads of the cooperative pool.
@Suite(.timeLimit(.minutes(20))) struct PoolFreedomTests {
    @Test func `Timers fire while 200 operations wait for a blocked session`() async throws {
        let fixture = try StepStore()
        fixture.coordinator.readGate.shut()
        fixture.coordinator.writeGate.shut()
        let operations = (0..<200).map { number in
            Task {
                number.isMultiple(of: 2)
                    ? try await fixture.store.write("\(number)") { _ in }
                    : try await fixture.store.read("\(number)") { _ in }
            }
        }
        let editors = (0..<16).map { number in
            let editor = fixture.store.makeBackgroundContext(name: "\(number)")
            return Task { try await editor.perform { _ = try $0.fetch(Remark.self) } }
        }
        // Each sleep would last until the gates open if waiting operations blocked the pool.
        for _ in 0..<10 { try await Task.sleep(for: .milliseconds(5)) }
        fixture.coordinator.readGate.open()
        fixture.coordinator.writeGate.open()
        for operation in operations + editors { try await operation.value }
        #expect(fixture.state.mostReads <= 4)
        #expect(fixture.state.mostWrites == 1)
    }

    @Test func `Threads use a store while every thread of the pool is busy`() async {
        // In a separate process, in which no other tasks run.
        await #expect(processExitsWith: .success) {
            alarm(60)
            let store = try Store.inMemory([Remark.self])
            let editor = store.makeBackgroundContext()
            let pool = BusyPool()
            let completed = DispatchSemaphore(value: 0)
            let waiting = try await onThread {
                // It returns only when no thread of the pool is free.
                pool.occupy()
                let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
                timer.schedule(deadline: .now(), repeating: .milliseconds(5))
                timer.setEventHandler { completed.signal() }
                timer.resume()
                // These can't even be submitted before a thread of the pool is free.
                let waiting = (0..<200).map { number in
                    Task { try await store.write("\(number)") { _ = Remark(in: $0, text: "task") } }
                }
                // These get their positions before the operations of this thread.
                for number in 0..<200 {
                    store.write("\(number)", { _ = Remark(in: $0, text: "callback") }) { _ in }
                }
                for number in 0..<20 {
                    try store.writeAndWait("write") { _ = Remark(in: $0, text: "thread", number: number) }
                    try editor.performAndWait { _ = try $0.fetch(Remark.self) }
                    completed.wait()
                }
                let count = try store.readAndWait("count") { try $0.count(Remark.self) }
                precondition(count == 220)
                timer.cancel()
                pool.release()
                return waiting
            }
            for task in waiting { try await task.value }
            let count = try await store.read("count") { try $0.count(Remark.self) }
            precondition(count == 420)
        }
    }

    @Test func `Operations with completions run while every thread of the pool is busy`() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let store = try StepStore(readLimit: 2).store
            let pool = BusyPool()
            try await onThread {
                pool.occupy()
                let completed = DispatchSemaphore(value: 0)
                store.write("first", { _ = Remark(in: $0, text: "first") }) { _ in }
                for number in 0..<4 { store.read("\(number)", { try $0.count(Remark.self) }) { _ in } }
                try store.writeAndWait("second") { _ = Remark(in: $0, text: "second") }
                let count = try store.readAndWait("count") { try $0.count(Remark.self) }
                precondition(count == 2)
                // A dispatch queue has its own thread, so its callbacks run although the pool is busy, even after a retry.
                let queue = DispatchQueue(label: "callbacks")
                let attempts = Journal<Int>()
                store.write("third", retries: 2, queue: queue) { context in
                    attempts.append(0)
                    if attempts.entries.count < 3 { throw StoreError(.contention, "Another was there.") }
                    _ = Remark(in: context, text: "third")
                } completion: { _ in
                    completed.signal()
                }
                completed.wait()
                let countAfterRetries = try store.readAndWait("count") { try $0.count(Remark.self) }
                precondition(countAfterRetries == 3)
                pool.release()
            }
        }
    }

    @Test func `Timers fire in time while the pool is busy and 200 tasks wait for sessions`() async {
        await #expect(processExitsWith: .success) {
            alarm(120)
            let fixture = try StepStore()
            let store = fixture.store
            fixture.coordinator.readGate.shut()
            fixture.coordinator.writeGate.shut()
            let tasks = (0..<200).map { number in
                Task {
                    number.isMultiple(of: 2)
                        ? try await store.write("\(number)") { _ in }
                        : try await store.read("\(number)") { _ in }
                }
            }
            while store.operations.count < tasks.count { try await Task.sleep(for: .milliseconds(1)) }
            let pool = BusyPool()
            let lateness = try await onThread {
                pool.occupy()
                // The machine may be busy, so one quick attempt of several is enough.
                var best = Duration.seconds(1)
                for _ in 0..<5 where best > .milliseconds(50) {
                    best = min(best, TimerWatch(interval: .milliseconds(10)).worstLateness(of: 50))
                }
                precondition(store.operations.count == 200, "All operations are still waiting.")
                pool.release()
                return best
            }
            fixture.coordinator.readGate.open()
            fixture.coordinator.writeGate.open()
            for task in tasks { try await task.value }
            precondition(lateness <= .milliseconds(50), "A timer fired \(lateness) late.")
        }
    }

    @Test func `A block runs in its task, and not on the cooperative pool`() async throws {
        let store = try Store.inMemory([Remark.self])
        try await Ambient.$name.withValue("request 7") {
            let (name, thread) = try await store.read("look") { _ in
                (Ambient.name, Thread.current.name)
            }
            #expect(name == "request 7")
            #expect(thread == "store")
        }
    }

    @Test func `A proxy's list follows all changes, without reads on its actor's thread`() async throws {
        let fixture = try StepStore()
        let screen = Screen()
        try await screen.show(fixture.store)
        let own = try #require(try await fixture.store.sharedContext.perform { _ in Thread.current.name })
        fixture.coordinator.state.withLock { $0.readers = [] }
        let ids = try await fixture.store.write("others") { context in
            let remarks = ["b", "c"].map { Remark(in: context, text: $0) }
            try context.save()
            return remarks.map(\.objectID)
        }
        #expect(await screen.next() == ["b", "c"])
        try await fixture.store.write("others") { try $0.object(with: ids[0], as: Remark.self).text = "d" }
        #expect(await screen.next() == ["c", "d"])
        try await fixture.store.performWithSharedContext { _ = Remark(in: $0, text: "a") }
        #expect(await screen.next() == ["a", "c", "d"])
        // The blocks of other contexts don't run in the shared context, but in the store.
        #expect(fixture.state.readers.subtracting(["store"]) == [own] && own != "store")
    }

    @Test func `One session serves a hundred readers`() async throws {
        let fixture = try StepStore(readLimit: 1)
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { try await fixture.store.read("\(number)") { _ in } }
                group.addTask { try await fixture.store.write("\(number)") { _ in } }
            }
            try await group.waitForAll()
        }
        #expect(fixture.state.mostReads == 1)
    }
}

/// A list that a proxy feeds, in an actor of the cooperative pool.
private actor Screen {
    private var list: FetchedResultsController<Remark>?
    private var proxy: ContextProxy?
    private var waiting: [CheckedContinuation<[String], Never>] = []
    private var shown: [[String]] = []

    func show(_ store: Store) throws {
        let proxy = store.makeProxy()
        let list = try FetchedResultsController(Remark.self, order: .ascending(\.text), in: proxy.context)
        list.onChange = { [unowned self] _ in assumeIsolated { $0.recordChange() } }
        (self.proxy, self.list) = (proxy, list)
    }

    private func recordChange() {
        shown.append(list?.objects.map(\.text) ?? [])
        if !waiting.isEmpty { waiting.removeFirst().resume(returning: shown.removeFirst()) }
    }

    /// Returns the contents of the list after the next change.
    func next() async -> [String] {
        if !shown.isEmpty { return shown.removeFirst() }
        return await withCheckedContinuation { waiting.append($0) }
    }
}

private enum Ambient {
    @TaskLocal static var name = ""
}

/// Occupies every thread of the cooperative pool.
///
/// The tasks never wait for a lock: on Linux the pool's threads belong to Dispatch, which adds a thread if it sees one of them wait.
private final class BusyPool: Sendable {
    private let begun = Atomic(0)
    private let isReleased = Atomic(false)

    /// Occupies one thread per task, and returns when all of the tasks run.
    func occupy() {
        let count = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<count {
            Task.detached { [self] in
                begun.add(1, ordering: .relaxed)
                while !isReleased.load(ordering: .relaxed) {}
            }
        }
        while begun.load(ordering: .relaxed) < count { Thread.sleep(forTimeInterval: 0.001) }
    }

    func release() { isReleased.store(true, ordering: .relaxed) }
}

/// A system timer, with its lateness.
///
/// `state` is guarded by its mutex.
private final class TimerWatch: Sendable {
    private struct State {
        var count = 0
        var worst = Duration.zero
    }

    private let interval: Duration
    private let queue = DispatchQueue(label: "timer")
    private let state = Guarded(State())

    init(interval: Duration) { self.interval = interval }

    /// Fires the timer the given number of times, and returns its greatest lateness; blocks the thread.
    func worstLateness(of count: Int) -> Duration {
        let isDone = DispatchSemaphore(value: 0)
        fire(count, isDone)
        isDone.wait()
        return state.withLock { $0.worst }
    }

    private func fire(_ count: Int, _ isDone: DispatchSemaphore) {
        let due = ContinuousClock.now + interval
        let time = DispatchTimeInterval.nanoseconds(Int(interval / .nanoseconds(1)))
        queue.asyncAfter(deadline: .now() + time) { [self] in
            let isLast = state.withLock { state in
                state.worst = max(state.worst, .now - due)
                state.count += 1
                return state.count == count
            }
            if isLast { isDone.signal() } else { fire(count, isDone) }
        }
    }
}

import ChildProcesses
import ContextCore
import Dispatch
import Foundation
import Testing

/// Nothing that waits for a store takes a thread of Swift's cooperative pool.
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
            let editor = fixture.store.makeContext(name: "\(number)")
            return Task { try await editor.perform { _ = try $0.fetch(Remark.self) } }
        }
        // Each would sleep until the gates are open if waiting operations blocked the pool.
        for _ in 0..<10 { try await Task.sleep(for: .milliseconds(5)) }
        fixture.coordinator.readGate.open()
        fixture.coordinator.writeGate.open()
        for operation in operations + editors { try await operation.value }
        #expect(fixture.state.mostReads <= 4)
        #expect(fixture.state.mostWrites == 1)
    }

    @Test func `Threads work with a store while every thread of the pool is busy`() async {
        // In a process of its own, since nobody else's tasks run meanwhile.
        await #expect(processExitsWith: .success) {
            let store = try Store.inMemory([Remark.self])
            let editor = store.makeContext()
            let pool = BusyPool()
            let told = DispatchSemaphore(value: 0)
            try await onThread {
                // It returns only when no task of the pool can begin any more.
                pool.occupy()
                let timer = DispatchSource.makeTimerSource(queue: .global())
                timer.schedule(deadline: .now(), repeating: .milliseconds(5))
                timer.setEventHandler { told.signal() }
                timer.resume()
                // Tasks that wait for the pool have their places already, and keep nobody else from working.
                let waiting = (0..<200).map { number in
                    Task { try await store.write("\(number)") { _ = Remark(in: $0, text: "task") } }
                }
                for number in 0..<20 {
                    try store.writeAndWait("write") { _ = Remark(in: $0, text: "thread", number: number) }
                    try editor.performAndWait { _ = try $0.fetch(Remark.self) }
                    told.wait()
                }
                let count = try store.readAndWait("count") { try $0.count(Remark.self) }
                precondition(count == 20)
                timer.cancel()
                pool.release()
                return waiting
            }.asyncForEach { try await $0.value }
            let count = try await store.read("count") { try $0.count(Remark.self) }
            precondition(count == 220)
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

    @Test func `One session is enough for a hundred who want to read`() async throws {
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

private enum Ambient {
    @TaskLocal static var name = ""
}

/// Keeps every thread of the cooperative pool busy.
///
/// `state` is guarded by its mutex.
private final class BusyPool: Sendable {
    private let state = Guarded((begun: 0, isReleased: false))

    /// Lets tasks run, one on each thread, and returns when all of them do.
    func occupy() {
        let count = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<count {
            Task.detached { [state] in
                state.withLock { $0.begun += 1 }
                while !state.withLock({ $0.isReleased }) {}
            }
        }
        while state.withLock({ $0.begun }) < count { Thread.sleep(forTimeInterval: 0.001) }
    }

    func release() { state.withLock { $0.isReleased = true } }
}

extension Array where Element: Sendable {
    /// Does something with each, one after the other.
    fileprivate func asyncForEach(_ body: (Element) async throws -> Void) async rethrows {
        for element in self { try await body(element) }
    }
}

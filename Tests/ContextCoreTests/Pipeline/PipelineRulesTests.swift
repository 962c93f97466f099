import ChildProcesses
import ContextCore
import Dispatch
import Foundation
import Testing

/// Lanes, disciplines and limits, and the list and the log of operations.
struct PipelineRulesTests {
    @Test func `Lanes run concurrently if the store supports it, and keep their order`() async throws {
        let fixture = try StepStore(
            options: StoreOptions(writes: .concurrent(limit: 2)), capabilities: .concurrentWrites)
        let (meeting, order) = (DispatchSemaphore(value: 0), Journal<String>())
        let (store, begun) = (fixture.store, Counter())
        async let first: Void = store.write("first", lane: "a") { _ in
            begun.add(1)
            // Only a write in another lane can release it.
            meeting.wait()
            order.append("a1")
        }
        while begun.value == 0 { await Task.yield() }
        async let second: Void = store.write("second", lane: "a") { _ in order.append("a2") }
        while store.operations.count < 2 { await Task.yield() }
        try await store.write("third", lane: "b") { _ in
            order.append("b")
            meeting.signal()
        }
        _ = try await (first, second)
        #expect(order.entries == ["b", "a1", "a2"])
    }

    @Test func `Lanes of a store with one lane have one order`() async throws {
        let fixture = try StepStore(options: StoreOptions(writes: .concurrent(limit: 4)))
        let order = Journal<Int>()
        try await withThrowingTaskGroup { group in
            for number in 0..<30 {
                let turn = Task { @MainActor in
                    try await fixture.store.write("\(number)", lane: "\(number % 3)") { _ in
                        order.append(number)
                    }
                }
                group.addTask { try await turn.value }
            }
            try await group.waitForAll()
        }
        #expect(order.entries == Array(0..<30))
        #expect(fixture.state.mostWrites == 1)
    }

    @Test func `In the exclusive discipline, a write runs alone, and all operations have one order`()
        async throws
    {
        let fixture = try StepStore(options: StoreOptions(discipline: .exclusive))
        let (store, order) = (fixture.store, Journal<Int>())
        let beside = Counter()
        try await withThrowingTaskGroup { group in
            for number in 0..<60 {
                let turn = Task { @MainActor in
                    if number % 3 == 0 {
                        try await store.write("\(number)") { _ in
                            #expect(beside.value == 0)
                            order.append(number)
                        }
                    } else {
                        try await store.read("\(number)") { _ in
                            beside.add(1)
                            defer { beside.add(-1) }
                            Thread.sleep(forTimeInterval: 0.001)
                        }
                    }
                }
                group.addTask { try await turn.value }
            }
            try await group.waitForAll()
        }
        #expect(order.entries == Array(stride(from: 0, to: 60, by: 3)))
    }

    @Test func `Operations beyond the limit are rejected at once`() async throws {
        let fixture = try StepStore(options: StoreOptions(waitingLimit: 2))
        let store = fixture.store
        fixture.coordinator.writeGate.shut()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(Task { try await store.write("\(number)") { _ in } })
            while store.operations.count <= number { await Task.yield() }
        }
        let error = await #expect(throws: StoreError.self) { try await store.write("late") { _ in } }
        #expect(error?.code == .overloaded)
        fixture.coordinator.writeGate.open()
        for task in tasks { try await task.value }
        try await store.write("later") { _ in }
    }

    @Test func `Operations beyond the limit wait in order if configured`() async throws {
        let fixture = try StepStore(options: StoreOptions(waitingLimit: 1, overflow: .wait))
        let (store, order) = (fixture.store, Journal<Int>())
        fixture.coordinator.writeGate.shut()
        var tasks: [Task<Void, any Error>] = []
        func isSubmitted(_ number: Int, _ task: Task<Void, any Error>) async {
            tasks.append(task)
            while store.operations.count <= number { await Task.yield() }
        }
        for number in 0..<9 {
            let body: @Sendable (ObjectContext) throws -> Void = { _ in order.append(number) }
            switch number % 3 {
            case 0: await isSubmitted(number, Task { try await store.write("\(number)", body) })
            case 1:
                await isSubmitted(
                    number, Task { try await onThread { try store.writeAndWait("\(number)", body) } })
            default:
                // The call returns at once, and the write has its position.
                store.write("\(number)", queue: .global(), body) { _ in }
                #expect(store.operations.count == number + 1)
                tasks.append(Task {})
            }
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write("hasty", overflow: .fail) { _ in }
        }
        #expect(error?.code == .overloaded)
        tasks[6].cancel()
        let cancelled = await #expect(throws: StoreError.self) { try await tasks[6].value }
        #expect(cancelled?.code == .cancelled)
        fixture.coordinator.writeGate.open()
        try await store.write("last") { _ in }
        for (number, task) in tasks.enumerated() where number != 6 { try await task.value }
        #expect(order.entries == [0, 1, 2, 3, 4, 5, 7, 8])
    }

    @Test func `An operation with the option to wait does, while others fail`() async throws {
        let fixture = try StepStore(options: StoreOptions(readLimit: 1, waitingLimit: 1))
        let store = fixture.store
        fixture.coordinator.readGate.shut()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<4 {
            tasks.append(Task { try await store.read("\(number)", overflow: .wait) { _ in } })
            while store.operations.count <= number { await Task.yield() }
        }
        let results = [
            await Task { try await store.read("async") { _ in } }.result,
            await Task { try await onThread { try store.readAndWait("thread") { _ in } } }.result,
            await withCheckedContinuation { continuation in
                store.read("callback", queue: .global(), { _ in }) { continuation.resume(returning: $0) }
            },
        ]
        for result in results {
            let error = #expect(throws: StoreError.self) { try result.get() }
            #expect(error?.code == .overloaded)
        }
        fixture.coordinator.readGate.open()
        for task in tasks { try await task.value }
    }

    @Test func `Waiting operations are listed, and cancelled by name`() async throws {
        let fixture = try StepStore()
        let store = fixture.store
        fixture.coordinator.writeGate.shut()
        var tasks: [Task<Void, any Error>] = []
        for name in ["a", "b", "a", "c"] {
            tasks.append(Task { try await store.write(name, lane: "lane") { _ in } })
            while store.operations.count < tasks.count { await Task.yield() }
        }
        let listed = store.operations
        #expect(listed.map(\.identifier) == ["a", "b", "a", "c"])
        #expect(listed.map(\.isRunning) == [true, false, false, false])
        #expect(listed.allSatisfy { $0.kind == .write && $0.lane == "lane" && $0.age > .zero })
        #expect(store.cancelOperations(named: "a") == 1, "The running operation is not cancelled")
        #expect(store.cancelOperations(named: "b") == 1)
        fixture.coordinator.writeGate.open()
        for (task, isCancelled) in zip(tasks, [false, true, true, false]) {
            switch await task.result {
            case .success: #expect(!isCancelled)
            case .failure(let error): #expect(isCancelled && (error as? StoreError)?.code == .cancelled)
            }
        }
        #expect(store.operations.isEmpty)
    }

    @Test func `A log receives waiting times, durations and results`() async throws {
        let reports = Journal<OperationReport>()
        let fixture = try StepStore(options: StoreOptions(operationLog: OperationLog { reports.append($0) }))
        let store = fixture.store
        try await store.write("sleep") { _ in Thread.sleep(forTimeInterval: 0.02) }
        _ = try? await store.read("fail") { _ in throw StoreError(.objectNotFound, "Nothing.") }
        try await onThread { try store.writeAndWait("thread") { _ in } }
        await store.close()
        _ = try? await store.read("late") { _ in }
        let all = reports.entries
        #expect(all.map(\.identifier) == ["sleep", "fail", "thread", "late"])
        #expect(all.map(\.kind) == [.write, .read, .write, .read])
        #expect(
            all.map(\.outcome) == [.done, .failed(.objectNotFound), .done, .failed(.closed)])
        #expect(all[0].ran >= .milliseconds(20) && all[3].ran == .zero)
    }
}

/// A counter for any thread.
private final class Counter: Sendable {
    private let number = Guarded(0)

    var value: Int { number.withLock { $0 } }

    @discardableResult
    func add(_ change: Int) -> Int {
        number.withLock { number in
            number += change
            return number
        }
    }
}

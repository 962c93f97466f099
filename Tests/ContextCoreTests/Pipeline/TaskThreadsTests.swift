import ContextCore
import Foundation
import Testing

/// Tasks on the store's threads.
struct TaskThreadsTests {
    /// Returns the identity of the calling thread, which asynchronous code can't query.
    private static func thread() -> UInt { UInt(bitPattern: ObjectIdentifier(Thread.current).hashValue) }

    private let fixture: StepStore
    private var store: Store { fixture.store }

    init() throws { fixture = try StepStore(readLimit: 2) }

    private func onStore<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        try await withTaskExecutorPreference(store.taskExecutor, operation: work)
    }

    @Test func `Blocks run on the thread of their task, and see earlier writes`() async throws {
        try await onStore {
            // A closure starts on the thread of its caller.
            await Task.yield()
            for number in 1...3 {
                let thread = Self.thread()
                let (id, writer) = try await store.write("add") { context in
                    let remark = Remark(in: context, text: "Well played", number: number)
                    try context.save()
                    return (remark.objectID, Self.thread())
                }
                let (seen, reader) = try await store.read("look") { context in
                    (try context.object(with: id, as: Remark.self).number, Self.thread())
                }
                #expect(seen == number)
                #expect(writer == thread)
                #expect(reader == thread)
                #expect(Self.thread() == thread)
            }
        }
        let inPool = try await store.read("look") { _ in Thread.current.name }
        #expect(inPool == "store")
    }

    @Test func `A task that waits for its turn releases its thread`() async throws {
        let gate = Gate()
        gate.shut()
        let holder = Task { try await store.write("hold") { _ in gate.pass() } }
        while fixture.state.openWrites == 0 { await Task.yield() }
        let journal = Journal<String>()
        // Writes beyond the number of threads wait, and reads continue at the same time.
        let writes = (0..<10).map { number in
            Task(executorPreference: store.taskExecutor) {
                try await store.write("write \(number)") { _ in journal.append("write") }
            }
        }
        while store.operations.count < 11 { await Task.yield() }
        try await onStore { try await store.read("look") { _ in journal.append("read") } }
        gate.open()
        for write in writes { try await write.value }
        try await holder.value
        #expect(journal.entries == ["read"] + Array(repeating: "write", count: 10))
        #expect(fixture.state.mostWrites == 1)
    }

    @Test func `Tasks that read in a loop release their threads to waiting ones`() async throws {
        let isOver = Guarded(false)
        let readers = (0..<4).map { _ in
            Task(executorPreference: store.taskExecutor) {
                while !isOver.withLock({ $0 }) { try await store.read("look") { _ in } }
            }
        }
        // The task gets a thread, although none of the four ever waits for its turn.
        try await onStore {
            try await store.read("last") { _ in }
            isOver.withLock { $0 = true }
        }
        for reader in readers { try await reader.value }
    }

    @Test func `An actor stays responsive while its request runs`() async throws {
        let gate = Gate()
        gate.shut()
        let desk = Desk(store: store)
        let asking = Task(executorPreference: store.taskExecutor) { try await desk.runRead { gate.pass() } }
        while fixture.state.openReads == 0 { await Task.yield() }
        // The actor could not answer if the block occupied its thread.
        #expect(await desk.requestCount == 1)
        gate.open()
        #expect(try await asking.value == "store")
    }

    private actor Desk {
        let store: Store
        var requestCount = 0

        init(store: Store) { self.store = store }

        func runRead(_ body: @escaping @Sendable () -> Void) async throws -> String? {
            requestCount += 1
            return try await store.read("ask") { _ in
                body()
                return Thread.current.name
            }
        }
    }

    @Test func `Writes of many tasks all succeed, one at a time`() async throws {
        let order = Journal<Int>()
        try await onStore {
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        try await store.write("\(number)") { context in
                            _ = Remark(in: context, text: "Well played", number: number)
                            order.append(number)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(Set(order.entries).count == 200 && order.entries.count == 200)
        #expect(fixture.state.rows.count == 200)
        #expect(fixture.state.openWrites == 0 && fixture.state.mostWrites == 1)
    }

    @Test func `A cancelled task saves nothing, and its block sees the cancellation`() async throws {
        let early = Task(executorPreference: store.taskExecutor) {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.write("late") { _ in Issue.record("The block ran.") }
        }
        let error = await #expect(throws: StoreError.self) { try await early.value }
        #expect(error?.code == .cancelled)
        let during = Task(executorPreference: store.taskExecutor) {
            try await store.write("doomed") { context in
                _ = Remark(in: context, text: "Gone")
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        #expect(await #expect(throws: StoreError.self) { try await during.value }?.code == .cancelled)
        #expect(fixture.state.rows.isEmpty && fixture.state.openWrites == 0)
    }

    @Test func `A task continues with an error when the store is closed`() async throws {
        try await onStore {
            try await store.read("look") { _ in }
            await store.close()
            let error = await #expect(throws: StoreError.self) { try await store.read("look") { _ in } }
            #expect(error?.code == .closed)
            await Task.yield()
        }
        let task = Task(executorPreference: store.taskExecutor) { Thread.isMainThread ? 1 : 2 }
        #expect(await task.value == 2)
    }

    @Test func `A task may outlive the store whose threads it uses`() async throws {
        var loose: Store? = try StepStore().store
        let executor = try #require(loose?.taskExecutor)
        loose = nil
        let task = Task(executorPreference: executor) {
            await Task.yield()
            return "done"
        }
        #expect(await task.value == "done")
    }
}

import Foundation
import Testing

@testable import ContextCore

struct ContextOperationTests {
    private let store: Store
    private let queue = OperationQueue()

    init() throws { store = try Store.inMemory([Remark.self]) }

    private func run(_ operations: Operation...) async {
        await withCheckedContinuation { continuation in
            queue.addOperations(operations, waitUntilFinished: false)
            queue.addBarrierBlock { continuation.resume() }
        }
    }

    private func texts() async throws -> [String] {
        try await store.read("texts") { try $0.fetch(Remark.self, order: .ascending(\.text)).map(\.text) }
    }

    @Test func `An operation has its own context`() async throws {
        await run(Importing(store: store, name: "import"))
        #expect(try await texts() == ["imported"])
        let history = try await store.history()
        #expect(history.map(\.contextName) == ["import"])
    }

    @Test func `Blocks share a context and a state, and decide when to save`() async throws {
        let operation = ContextBlockOperation(store: store, state: [String]())
        let finished = Guarded(false)
        operation.completionBlock = { finished.withLock { $0 = true } }
        operation.addExecutionBlock { context, seen in
            _ = Remark(in: context, text: "one")
            seen.append("first")
            return false
        }
        operation.addExecutionBlock { context, seen in
            seen.append("\(context.insertedObjects.count)")
            _ = Remark(in: context, text: "two")
            return true
        }
        operation.addExecutionBlock { context, seen in
            _ = Remark(in: context, text: "dropped")
            seen.append("last")
            return false
        }
        #expect(operation.outcome == nil)
        await run(operation)
        #expect(try operation.outcome?.get() == ["first", "1", "last"])
        #expect(try await texts() == ["one", "two"])
    }

    @Test func `Pending changes are saved after the last block if configured`() async throws {
        let operation = ContextBlockOperation(store: store)
        operation.saveAfterExecution = true
        operation.addExecutionBlock { context in
            _ = Remark(in: context, text: "kept")
            return false
        }
        await run(operation)
        #expect(try await texts() == ["kept"] && operation.outcome != nil)
    }

    @Test func `A block that throws ends the operation, and unsaved changes are dropped`() async throws {
        let operation = ContextBlockOperation(store: store)
        operation.saveAfterExecution = true
        operation.addExecutionBlock { context in
            _ = Remark(in: context, text: "saved")
            return true
        }
        operation.addExecutionBlock { context in
            _ = Remark(in: context, text: "dropped")
            throw CocoaError(.featureUnsupported)
        }
        operation.addExecutionBlock { _ in
            Issue.record("A block ran after one that threw.")
            return true
        }
        await run(operation)
        #expect(throws: CocoaError.self) { try operation.outcome?.get() }
        #expect(try await texts() == ["saved"])
    }

    @Test func `An operation can be cancelled between two blocks, and waits for its dependencies`()
        async throws
    {
        let first = Importing(store: store)
        let operation = ContextBlockOperation(store: store)
        operation.addDependency(first)
        operation.saveAfterExecution = true
        operation.addExecutionBlock { [weak operation] context in
            let count = try context.count(Remark.self)
            #expect(count == 1)
            _ = Remark(in: context, text: "dropped")
            operation?.cancel()
            return false
        }
        operation.addExecutionBlock { _ in true }
        await run(operation, first)
        #expect { try operation.outcome?.get() } throws: { ($0 as? StoreError)?.code == .cancelled }
        #expect(try await texts() == ["imported"])
    }

    @Test func `An operation that was cancelled before it began reports it`() async {
        let operation = ContextBlockOperation(store: store)
        operation.addExecutionBlock { _ in true }
        operation.cancel()
        await run(operation)
        #expect { try operation.outcome?.get() } throws: { ($0 as? StoreError)?.code == .cancelled }
        #expect(operation.outcome != nil)
    }

    @Test func `An async main keeps its context and its executor across every await`() async throws {
        let first = Downloading(store: store, name: "download")
        let second = Importing(store: store, name: "import")
        second.addDependency(first)
        await run(second, first)
        #expect(first.isFinished && !first.isExecuting && first.isAsynchronous)
        try first.outcome?.get()
        #expect(try await texts() == ["0", "1", "2", "imported"])
        #expect(try await store.history().map(\.contextName) == ["download", "import"])
    }

    @Test func `A queue waits for an async main before it starts the next operation`() async {
        queue.maxConcurrentOperationCount = 1
        let running = Guarded((now: 0, most: 0))
        let operations = (0..<5).map { _ in Counting(store: store, running: running) }
        await withCheckedContinuation { continuation in
            for operation in operations { queue.addOperation(operation) }
            queue.addBarrierBlock { continuation.resume() }
        }
        #expect(running.withLock { $0.most } == 1 && operations.allSatisfy(\.isFinished))
    }

    @Test func `An operation with an async main is cancelled with its task, or before it begins`() async {
        let operation = Waiting(store: store)
        let (started, sink) = AsyncStream.makeStream(of: Void.self)
        operation.started = sink
        queue.addOperation(operation)
        for await _ in started { break }
        operation.cancel()
        await withCheckedContinuation { continuation in queue.addBarrierBlock { continuation.resume() } }
        #expect(throws: CancellationError.self) { try operation.outcome?.get() }
        let late = Waiting(store: store)
        late.cancel()
        await run(late)
        #expect { try late.outcome?.get() } throws: { ($0 as? StoreError)?.code == .cancelled }
    }

    @Test func `An operation that is started twice runs main once`() async throws {
        let operation = Counted(store: store)
        operation.start()
        operation.start()
        await withCheckedContinuation { continuation in
            let end = BlockOperation { continuation.resume() }
            end.addDependency(operation)
            queue.addOperation(end)
        }
        operation.start()
        #expect(operation.runs.withLock { $0 } == 1 && operation.isFinished)
        try operation.outcome?.get()
    }

    @Test func `An operation that a program starts while it is queued runs main once`() async throws {
        for _ in 0..<20 {
            let operation = Counted(store: store)
            let (started, sink) = AsyncStream.makeStream(of: Void.self)
            operation.started = sink
            queue.addOperation(operation)
            for await _ in started { break }
            operation.start()
            await withCheckedContinuation { continuation in
                queue.addBarrierBlock { continuation.resume() }
            }
            operation.start()
            #expect(operation.runs.withLock { $0 } == 1)
            try operation.outcome?.get()
        }
    }

    @Test func `Starting an operation before its dependency is an error that names it`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = try Store.inMemory([Remark.self])
            let operation = Counted(store: store)
            operation.addDependency(Counted(store: store))
            operation.start()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("was started before the operations that it depends on have finished"))
    }

    @Test func `The context of an operation is exclusive`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = try Store.inMemory([Remark.self])
            _ = ContextOperation(store: store, name: "import").threadContext
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("threadContext of operation \"import\" was used outside its main"))
    }
}

private final class Importing: ContextOperation, @unchecked Sendable {
    override func main() {
        let remark = Remark(in: threadContext, text: "imported")
        do {
            try threadContext.save()
        } catch {
            Issue.record("\(remark.objectID) could not be saved: \(error)")
        }
    }
}

private final class Downloading: ContextTaskOperation, @unchecked Sendable {
    override func main() async throws {
        for number in 0..<3 {
            _ = Remark(in: threadContext, text: "\(number)")
            await Task.yield()
            // Switch to another isolation, and back.
            let count = try await store.read("look") { try $0.count(Remark.self) }
            #expect(count == 0)
            #expect(threadContext.insertedObjects.count == number + 1)
        }
        try threadContext.save()
    }
}

private final class Counting: ContextTaskOperation, @unchecked Sendable {
    private let running: Guarded<(now: Int, most: Int)>

    init(store: Store, running: Guarded<(now: Int, most: Int)>) {
        self.running = running
        super.init(store: store)
    }

    override func main() async throws {
        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        for _ in 0..<20 { await Task.yield() }
        running.withLock { $0.now -= 1 }
    }
}

private final class Counted: ContextTaskOperation, @unchecked Sendable {
    let runs = Guarded(0)
    var started: AsyncStream<Void>.Continuation?

    override func main() async throws {
        runs.withLock { $0 += 1 }
        started?.yield()
        for _ in 0..<20 { await Task.yield() }
        _ = try threadContext.count(Remark.self)
    }
}

private final class Waiting: ContextTaskOperation, @unchecked Sendable {
    var started: AsyncStream<Void>.Continuation?

    override func main() async throws {
        started?.yield()
        try await Task.sleep(for: .seconds(600))
    }
}

import ChildProcesses
import Dispatch
import Testing

@testable import ContextCore

/// Reads of a proxy, or of a child in another isolation, on a thread that a block of the parent context waits for.
@Suite(.timeLimit(.minutes(20))) struct BlockedProxyTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory(
            [Remark.self], options: StoreOptions(deadlockTimeout: .milliseconds(200)))
    }

    private func add(_ text: String) async throws -> ObjectID {
        try await store.write("add") { context in
            let remark = Remark(in: context, text: text)
            try context.save()
            return remark.objectID
        }
    }

    @MainActor @Test func `A shared block that waits for the main queue is detected by a fault on it`()
        async throws
    {
        let id = try await add("one")
        let proxy = store.makeProxy()
        let remark = try proxy.context.object(with: id, as: Remark.self)
        let begun = ThreadSignal()
        let (results, sink) = AsyncStream.makeStream(of: Result<String, any Error>.self)
        let line = #line + 1
        store.performWithSharedContext { _ in
            begun.signal()
            return DispatchQueue.main.sync { "shown" }
        } completion: { result in
            sink.yield(result)
            sink.finish()
        }
        begun.wait()
        #expect(remark.text == "")
        let error = #expect(throws: StoreError.self) { try proxy.context.count(Remark.self) }
        #expect(error?.code == .wouldDeadlock)
        #expect(error?.message.contains("\"shared\"") == true)
        #expect(error?.message.contains("BlockedProxyTests.swift:\(line)") == true)
        #expect(error?.remedy?.contains("deadlockTimeout") == true)
        for await result in results { #expect(try result.get() == "shown") }
        #expect(remark.text == "one")
        #expect(try proxy.context.count(Remark.self) == 1)
    }

    @MainActor @Test func `A save of the main actor's child fails, and its changes stay`() async throws {
        let editor = store.makeBackgroundContext(name: "editor")
        let child = await editor.makeViewChild(name: "form")
        _ = Remark(in: child, text: "new")
        let begun = ThreadSignal()
        editor.perform { _ in
            begun.signal()
            DispatchQueue.main.sync {}
        } completion: { (_: Result<Void, any Error>) in
        }
        begun.wait()
        for _ in 0..<3 {
            let error = #expect(throws: StoreError.self) { try child.save() }
            #expect(error?.code == .wouldDeadlock)
        }
        #expect(child.insertedObjects.count == 1)
        try await editor.perform { _ in }
        try child.save()
        #expect(try await editor.perform { $0.insertedObjects.count } == 1)
    }

    @Test func `The detector includes a context that the block waits for`() async throws {
        let id = try await add("one")
        let editor = store.makeBackgroundContext(name: "editor")
        let (begun, end) = (ThreadSignal(), ThreadSignal())
        let (results, sink) = AsyncStream.makeStream(of: Void.self)
        store.performWithSharedContext { _ in
            try editor.performAndWait { _ in
                begun.signal()
                end.wait()
            }
        } completion: { (_: Result<Void, any Error>) in
            sink.finish()
        }
        let error = try await onThread { [store] in
            begun.wait()
            let proxy = store.makeProxy(isolation: nil)
            _ = try proxy.context.object(with: id, as: Remark.self).text
            return #expect(throws: StoreError.self) { try proxy.context.count(Remark.self) }
        }
        #expect(error?.code == .wouldDeadlock)
        end.signal()
        for await _ in results {}
    }

    // MARK: Blocks that are not stalled

    @Test func `A block that computes makes progress`() async throws {
        let executor = store.sharedContext.executor
        let (begun, isSeen) = (ThreadSignal(), Guarded(false))
        async let block: Void = store.performWithSharedContext { _ in
            begun.signal()
            while !isSeen.withLock({ $0 }) {}
        }
        try await onThread {
            begun.wait()
            let first = ExecutorWaits.shared.progress(of: executor)
            #expect(first?.count == 1)
            while ExecutorWaits.shared.progress(of: executor) == first {}
            isSeen.withLock { $0 = true }
        }
        try await block
        // The thread releases the context shortly after the block's end.
        while ExecutorWaits.shared.progress(of: executor) != nil { await Task.yield() }
    }

    @Test func `A block that waits for the store is not stalled`() async throws {
        let editor = store.makeBackgroundContext(name: "editor")
        let progress = try await store.performWithSharedContext { [store] _ in
            try editor.performAndWait { _ in
                try store.readAndWait("report") { _ in
                    [store.sharedContext.executor, editor.executor].map {
                        ExecutorWaits.shared.progress(of: $0)
                    }
                }
            }
        }
        #expect(progress == [nil, nil])
        let after = try await store.performWithSharedContext { [store] _ in
            ExecutorWaits.shared.progress(of: store.sharedContext.executor)
        }
        #expect(after?.count == 1)
    }
}

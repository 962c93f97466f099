import Dispatch
import Foundation
import Testing

@testable import ContextCore

@MainActor struct CompletionTests {
    @Test func `Completions run in the caller's isolation, or on a queue`() async throws {
        let store = try StepStore().store
        let order = Journal<Int>()
        var results: [Int] = []
        store.write(
            "first",
            { _ in
                order.append(1); return 1
            }
        ) { result in
            MainActor.assertIsolated()
            results.append((try? result.get()) ?? 0)
        }
        store.write(
            "second",
            { _ -> Int in
                order.append(2); throw CocoaError(.featureUnsupported)
            }
        ) { result in
            results.append((try? result.get()) ?? -1)
        }
        store.read("third", { _ in 3 }) { result in results.append((try? result.get()) ?? 0) }
        while results.count < 3 { await Task.yield() }
        #expect(order.entries == [1, 2] && results == [1, -1, 3])
        let queue = DispatchQueue(label: "completions")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let isOnQueue = await withCheckedContinuation { continuation in
            store.write("queue", queue: queue, { _ in }) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) ?? false)
            }
        }
        #expect(isOnQueue)
    }

    @Test func `A completion has the caller's task-local values, even after a rejection`() async throws {
        let store = try StepStore().store
        let names = Journal<String>()
        await Surroundings.$name.withValue("request 7") {
            await withCheckedContinuation { continuation in
                store.read("look", { _ in }) { _ in
                    names.append(Surroundings.name)
                    continuation.resume()
                }
            }
        }
        #expect(names.entries == ["request 7"])
        await store.close()
        let result = await withCheckedContinuation { continuation in
            store.write("late", { _ in }) { continuation.resume(returning: $0) }
        }
        let error = #expect(throws: StoreError.self) { try result.get() }
        #expect(error?.code == .closed)
        #expect(error?.remedy == "Open the store again.")
    }

    @Test func `Completions of proxies and shared blocks have the task-local values`() async throws {
        let store = try StepStore().store
        let proxy = store.makeProxy()
        let names = Journal<String>()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Surroundings.$name.withValue("request 8") {
                proxy.fetch(FetchRequest<Remark>()) { _ in names.append(Surroundings.name) }
                proxy.save { _ in names.append(Surroundings.name) }
                store.performWithSharedContext {
                    try $0.count(Remark.self)
                } completion: { _ in
                    names.append(Surroundings.name)
                    continuation.resume()
                }
            }
        }
        #expect(names.entries == ["request 8", "request 8", "request 8"])
    }

    /// The completion may have the last reference to the proxy, whose context must not be closed on another thread.
    @Test(.timeLimit(.minutes(20)))
    func `The captures of a proxy's completion are released in the proxy's isolation`() async throws {
        let store = try Store.inMemory([Remark.self])
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        let places = Journal<Bool>()
        let note: @Sendable () -> Void = {
            places.append(DispatchQueue.getSpecific(key: key) == true)
        }
        for _ in 0..<500 {
            for isFetch in [true, false] {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let held = Held(note)
                    let proxy = store.makeProxy()
                    if isFetch {
                        proxy.fetch(FetchRequest<Remark>()) { _ in
                            withExtendedLifetime(held) { continuation.resume() }
                        }
                    } else {
                        proxy.save { _ in withExtendedLifetime(held) { continuation.resume() } }
                    }
                }
            }
        }
        while places.entries.count < 1000 { await Task.yield() }
        #expect(!places.entries.contains(false))
    }

    @Test(.timeLimit(.minutes(20)))
    func `Failed, cancelled and rejected operations keep the order of completions`() async throws {
        let fixture = try StepStore(options: StoreOptions(readLimit: 1, waitingLimit: 5))
        let store = fixture.store
        fixture.coordinator.readGate.shut()
        fixture.coordinator.writeGate.shut()
        let (results, sink) = AsyncStream.makeStream(of: String.self)
        @Sendable func report(_ name: String, _ result: Result<Void, any Error>) {
            switch result {
            case .success: sink.yield("\(name) done")
            case .failure(let error as StoreError): sink.yield("\(name) \(error.code)")
            case .failure: sink.yield("\(name) threw")
            }
        }
        // Both of these have started, and wait for their sessions.
        store.read("read", { _ in }) { report("read", $0) }
        store.write("write", { _ = Remark(in: $0, text: "a") }) { report("write", $0) }
        // These wait for their turns; the next one is rejected at once.
        store.write("cancelled", { _ in }) { report("cancelled", $0) }
        store.write("throwing", { _ -> Void in throw CocoaError(.featureUnsupported) }) {
            report("throwing", $0)
        }
        let attempts = Journal<Int>()
        store.write("repeated", retries: 1) { (context) -> Void in
            attempts.append(0)
            if attempts.entries.count == 1 { throw StoreError(.contention, "Another process was first.") }
        } completion: {
            report("repeated", $0)
        }
        store.read("second read", { _ in }) { report("second read", $0) }
        store.read("third read", { _ in }) { report("third read", $0) }
        store.read("refused", { _ in }) { report("refused", $0) }
        #expect(store.cancelOperations(named: "cancelled") == 1)
        fixture.coordinator.writeGate.open()
        // The writes have ended, but their completions wait for the first read.
        while store.operations.contains(where: { $0.kind == .write }) { await Task.yield() }
        fixture.coordinator.readGate.open()
        #expect(
            await results.first(8) == [
                "read done", "write done", "cancelled cancelled", "throwing threw", "repeated done",
                "second read done", "third read done", "refused overloaded",
            ])
        await store.close()
        // The last completion may still be running.
        while !store.pipeline.completions.isEmpty { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(20)))
    func `Closing a store runs every completion, in the order of submission`() async throws {
        let fixture = try StepStore(readLimit: 1)
        let (store, shared) = (fixture.store, fixture.store.sharedContext)
        fixture.coordinator.writeGate.shut()
        let (results, sink) = AsyncStream.makeStream(of: Int.self)
        let queue = DispatchQueue(label: "completions")
        let (queued, queueSink) = AsyncStream.makeStream(of: Int.self)
        let proxy = store.makeProxy()
        for number in 0..<20 {
            store.write("write", { _ in }) { _ in sink.yield(number) }
            store.read("read", queue: queue, { _ in }) { _ in queueSink.yield(number) }
        }
        let closing = Task { await store.close() }
        while store.operations.count > 1 { await Task.yield() }
        let (later, laterSink) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<30 {
            switch number % 3 {
            case 0:
                store.performWithSharedContext({ try $0.count(Remark.self) }) { _ in laterSink.yield(number) }
            case 1: proxy.fetch(FetchRequest<Remark>()) { _ in laterSink.yield(number) }
            default: proxy.save { _ in laterSink.yield(number) }
            }
        }
        fixture.coordinator.writeGate.open()
        await closing.value
        #expect(await results.first(20) == Array(0..<20))
        #expect(await queued.first(20) == Array(0..<20))
        #expect(await later.first(30) == Array(0..<30))
        while !shared.completions.isEmpty || !store.pipeline.completions.isEmpty { await Task.yield() }
    }

    @Test func `Writes with completions share a commit, and each completes`() async throws {
        let fixture = try StepStore()
        let store = fixture.store
        fixture.coordinator.state.withLock { $0.commitDelay = 0.03 }
        try await store.write("first") { _ = Remark(in: $0, text: "first") }
        fixture.coordinator.writeGate.shut()
        let (results, sink) = AsyncStream.makeStream(of: (number: Int, isDone: Bool).self)
        for number in 0..<10 {
            store.write("\(number)") { (context) -> Void in
                _ = Remark(in: context, text: "remark", number: number)
                if number == 4 { throw CocoaError(.featureUnsupported) }
            } completion: { @Sendable result in
                sink.yield((number, (try? result.get()) != nil))
            }
        }
        #expect(store.operations.filter { $0.identifier != "first" }.count == 10)
        fixture.coordinator.writeGate.open()
        var outcomes: [Int: Bool] = [:]
        for await (number, isDone) in results {
            outcomes[number] = isDone
            if outcomes.count == 10 { break }
        }
        #expect(outcomes == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, $0 != 4) }))
        #expect(fixture.state.rows.count == 10)
        #expect(fixture.state.commitCount < 8, "One commit for the first write, and a few for the others")
        await store.close()
    }
}

/// An object of one isolation that reports its release.
private final class Held {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

private enum Surroundings {
    @TaskLocal static var name = ""
}

extension AsyncStream {
    /// Returns the first elements.
    fileprivate func first(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> [Element] {
        var elements: [Element] = []
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}

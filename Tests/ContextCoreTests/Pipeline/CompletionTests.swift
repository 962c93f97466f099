import ContextCore
import Dispatch
import Foundation
import Testing

@MainActor struct CompletionTests {
    @Test func `Completions run where they were written, or on a queue`() async throws {
        let store = try StepStore().store
        let order = Journal<Int>()
        var results: [Int] = []
        store.write(
            "first",
            { _ in
                order.note(1); return 1
            }
        ) { result in
            MainActor.assertIsolated()
            results.append((try? result.get()) ?? 0)
        }
        store.write(
            "second",
            { _ -> Int in
                order.note(2); throw CocoaError(.featureUnsupported)
            }
        ) { result in
            results.append((try? result.get()) ?? -1)
        }
        store.read("third", { _ in 3 }) { result in results.append((try? result.get()) ?? 0) }
        while results.count < 3 { await Task.yield() }
        #expect(order.entries == [1, 2] && Set(results) == [1, -1, 3])
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

    @Test func `A completion has the values of the task that asked, and what was refused is told too`()
        async throws
    {
        let store = try StepStore().store
        let names = Journal<String>()
        await Surroundings.$name.withValue("request 7") {
            await withCheckedContinuation { continuation in
                store.read("look", { _ in }) { _ in
                    names.note(Surroundings.name)
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
    }

    @Test func `Writes with completions share a commit, and each is told of it`() async throws {
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
        #expect(fixture.state.commitCount < 8, "The first one, and a few for the others")
        await store.close()
    }
}

private enum Surroundings {
    @TaskLocal static var name = ""
}

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
}

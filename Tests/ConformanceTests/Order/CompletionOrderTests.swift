import ContextCore
import Dispatch
import Foundation
import RandomSeeds
import Testing

/// The order of completions with many outstanding operations.
@Suite(.timeLimit(.minutes(20))) struct CompletionOrderTests {
    /// The number of operations, by default and in long runs.
    private static let count =
        ProcessInfo.processInfo.environment["STORE_COMPLETIONS"].flatMap { Int($0) } ?? 600
    private static let seed =
        ProcessInfo.processInfo.environment["STORE_COMPLETIONS_SEED"].flatMap { UInt64($0) }
        ?? .random(in: 0...UInt64.max)

    @MainActor @Test(arguments: Subject.all)
    func `Completions on the main actor run in the order of submission`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            var random = SeededRandom(seed: Self.seed)
            let (numbers, sink) = AsyncStream.makeStream(of: Int.self)
            for number in 0..<Self.count {
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    store.write("write") { (context) -> Void in
                        if number % 7 == 0 { throw CocoaError(.featureUnsupported) }
                        _ = SampleMember(in: context, name: "\(number)")
                    } completion: { _ in
                        sink.yield(number)
                    }
                case 1:
                    store.write("nothing", { _ in }) { _ in sink.yield(number) }
                default:
                    store.read("read", { try $0.count(SampleMember.self) }) { _ in sink.yield(number) }
                }
                // Some completions run while other operations are being submitted.
                if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
            }
            let completed = await numbers.first(Self.count)
            #expect(completed == Array(0..<Self.count), "STORE_COMPLETIONS_SEED=\(Self.seed)")
        }
    }

    @Test(arguments: Subject.all)
    func `Completions on a queue run in the order of submission`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            var random = SeededRandom(seed: Self.seed)
            let queue = DispatchQueue(label: "completions")
            let (numbers, sink) = AsyncStream.makeStream(of: Int.self)
            for number in 0..<Self.count {
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    store.write("write", queue: queue) {
                        _ = SampleMember(in: $0, name: "\(number)")
                    } completion: { _ in
                        sink.yield(number)
                    }
                case 1:
                    store.read("read", queue: queue) {
                        try $0.fetch(SampleMember.self).count
                    } completion: { _ in
                        sink.yield(number)
                    }
                default: store.read("nothing", queue: queue, { _ in }) { _ in sink.yield(number) }
                }
            }
            let completed = await numbers.first(Self.count)
            #expect(completed == Array(0..<Self.count), "STORE_COMPLETIONS_SEED=\(Self.seed)")
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `Completions of the shared context and its proxies run in the order of submission`(
        _ subject: Subject
    ) async throws {
        try await subject.withStore { store async throws in
            try await store.write("first") { _ = SampleMember(in: $0, name: "first") }
            var random = SeededRandom(seed: Self.seed)
            let proxy = store.makeProxy()
            let (numbers, sink) = AsyncStream.makeStream(of: Int.self)
            for number in 0..<Self.count / 3 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: proxy.fetch(FetchRequest<SampleMember>()) { _ in sink.yield(number) }
                case 1:
                    store.performWithSharedContext {
                        _ = SampleMember(in: $0, name: "\(number)")
                    } completion: { _ in
                        sink.yield(number)
                    }
                default: proxy.save { _ in sink.yield(number) }
                }
                if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
            }
            let completed = await numbers.first(Self.count / 3)
            #expect(completed == Array(0..<Self.count / 3), "STORE_COMPLETIONS_SEED=\(Self.seed)")
        }
    }

    /// The field starts a request for each letter, and shows the result of the last completion.
    @MainActor @Test(arguments: Subject.all)
    func `A search field shows the result of its last request`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await store.write("names") { context in
                for name in ["G", "Go", "Gom"] { _ = SampleMember(in: context, name: name) }
            }
            for round in 0..<100 {
                let (answers, sink) = AsyncStream.makeStream(of: String.self)
                for name in ["G", "Go", "Gom"] {
                    store.read("search") { context in
                        try context.fetch(SampleMember.self, where: \.name == name).first?.name ?? ""
                    } completion: { answer in
                        sink.yield((try? answer.get()) ?? "failed")
                    }
                }
                #expect(await answers.first(3) == ["G", "Go", "Gom"], "round \(round)")
            }
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `Blocks with completions never block their submitter, and run after earlier operations`(
        _ subject: Subject
    ) async throws {
        try await subject.withStore { store async throws in
            let editor = store.makeBackgroundContext(name: "editor")
            let gate = DispatchSemaphore(value: 0)
            let (results, sink) = AsyncStream.makeStream(of: String.self)
            let queue = DispatchQueue(label: "callbacks")
            editor.perform(queue: queue) { context in
                gate.wait()
                _ = SampleMember(in: context, name: "one")
            } completion: { _ in
                sink.yield("one")
            }
            editor.perform(queue: queue) {
                "\($0.insertedObjects.count)"
            } completion: { result in
                sink.yield((try? result.get()) ?? "failed")
            }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    editor.perform {
                        try $0.save()
                    } completion: { @Sendable _ in
                        sink.yield("saved")
                    }
                    continuation.resume()
                }
            }
            // All three were submitted while the first one still used the context.
            gate.signal()
            let completed = await results.first(3)
            #expect(completed.filter { $0 != "saved" } == ["one", "1"])
            #expect(try await store.read("saved") { try $0.count(SampleMember.self) } == 1)
        }
    }
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

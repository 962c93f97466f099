import ChildProcesses
import Dispatch
import Foundation
import Testing

@testable import ContextCore

struct ContextActorTests {
    private let fixture: StepStore
    private var store: Store { fixture.store }

    init() throws { fixture = try StepStore() }

    @Test func `A context keeps its objects from one block to the next`() async throws {
        let editor = store.makeBackgroundContext(name: "editor")
        try await editor.perform { context in _ = Remark(in: context, text: "Draft") }
        let count = try await editor.perform { $0.insertedObjects.count }
        #expect(count == 1)
        #expect(fixture.state.rows.isEmpty)
    }

    @Test func `A save reaches the store as a separate write`() async throws {
        let editor = store.makeBackgroundContext(name: "editor")
        let id = try await editor.perform { context in
            let remark = Remark(in: context, text: "Kept")
            try context.save()
            return remark.objectID
        }
        let text = try await store.read("look") { try $0.object(with: id, as: Remark.self).text }
        #expect(text == "Kept")
        #expect(fixture.state.openReads == 0)
        #expect(fixture.state.openWrites == 0)
    }

    @Test func `Blocks run one after the other in the order of submission`() async throws {
        let editor = store.makeBackgroundContext()
        let journal = Journal<Int>()
        let tasks = await submitOnMainActor(1000) { number in
            try await editor.perform { _ in journal.append(number) }
        }
        for task in tasks { try await task.value }
        #expect(journal.entries == Array(0..<1000))
    }

    @MainActor private func submitOnMainActor(
        _ count: Int, _ body: @escaping @MainActor @Sendable (Int) async throws -> Void
    ) -> [Task<Void, any Error>] {
        (0..<count).map { number in Task { try await body(number) } }
    }

    @Test func `Nested performAndWait runs at once`() throws {
        let editor = store.makeBackgroundContext()
        let number = try editor.performAndWait { context in
            _ = Remark(in: context, text: "Outer")
            return try editor.performAndWait { $0.insertedObjects.count }
        }
        #expect(number == 1)
    }

    @Test func `performAndWait runs on the calling thread`() throws {
        let editor = store.makeBackgroundContext()
        let caller = ThreadIdentity.current
        let thread = try editor.performAndWait { _ in ThreadIdentity.current }
        #expect(thread == caller)
    }

    @Test func `performAndWait waits for its turn among the blocks of tasks`() async throws {
        let editor = store.makeBackgroundContext()
        let journal = Journal<String>()
        let gate = Gate()
        gate.shut()
        let began = DispatchSemaphore(value: 0)
        let first = Task {
            try await editor.perform { _ in
                began.signal()
                gate.pass()
                journal.append("task")
            }
        }
        try await onThread {
            began.wait()
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { gate.open() }
            try editor.performAndWait { _ in journal.append("thread") }
        }
        try await first.value
        #expect(journal.entries == ["task", "thread"])
    }

    @Test func `Tasks and threads never use a context at the same time`() async throws {
        let editor = store.makeBackgroundContext()
        let inside = Journal<Int>()
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    try await editor.perform { _ in
                        inside.append(number)
                        inside.append(number)
                    }
                }
                group.addTask {
                    try await onThread {
                        try editor.performAndWait { _ in
                            inside.append(-number)
                            inside.append(-number)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let entries = inside.entries
        #expect(entries.count == 800)
        #expect(stride(from: 0, to: 800, by: 2).allSatisfy { entries[$0] == entries[$0 + 1] })
    }

    @Test func `Two contexts that wait for each other are an error that names both`() async throws {
        let first = store.makeBackgroundContext(name: "first")
        let second = store.makeBackgroundContext(name: "second")
        let met = DispatchSemaphore(value: 0)
        let other = DispatchSemaphore(value: 0)
        async let one: String? = onThread {
            try first.performAndWait { _ in
                met.signal()
                other.wait()
                return refusal { try second.performAndWait { _ in } }
            }
        }
        async let two: String? = onThread {
            try second.performAndWait { _ in
                met.wait()
                other.signal()
                return refusal { try first.performAndWait { _ in } }
            }
        }
        let refusals = try await [one, two].compactMap(\.self)
        #expect(refusals.count == 1)
        #expect(refusals.allSatisfy { $0.contains("\"first\"") && $0.contains("\"second\"") })
    }

    @Test func `A call back to the same context through another one runs at once`() throws {
        let first = store.makeBackgroundContext(name: "first")
        let second = store.makeBackgroundContext(name: "second")
        let name = try first.performAndWait { _ in
            try second.performAndWait { _ in try first.performAndWait { $0.name } }
        }
        #expect(name == "first")
    }

    @Test func `An error of a property is thrown at the end of the block`() async throws {
        let editor = store.makeBackgroundContext()
        let missing = ObjectID(
            space: IdentifierSpace(storeID: UUID(), entityName: "Remark", rootIndex: nil), key: 77)
        let id = try #require(
            ObjectID(uri: missing.uri.replacing(missing.storeID.uuidString, with: try await storeID())))
        await #expect(throws: StoreError.self) {
            try await editor.perform { try $0.object(with: id, as: Remark.self).text }
        }
    }

    private func storeID() async throws -> String { try await store.metadata().storeID.uuidString }

    @Test func `A context is released with its actor`() async throws {
        let box = WeakContext()
        do {
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                box.context = context
                _ = Remark(in: context, text: "Changed objects hold their graph")
            }
            #expect(box.context != nil)
        }
        #expect(box.context == nil)
    }

    @Test func `The view context runs on the main thread`() async throws {
        try await MainActor.run {
            let context = store.viewContext
            _ = Remark(in: context, text: "Seen")
            try context.save()
            #expect(store.viewContext === context)
        }
        #expect(fixture.state.rows.count == 1)
    }
}

/// Returns the message of the deadlock that a call would cause.
private func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError).flatMap { $0.code == .wouldDeadlock ? $0.message : nil }
    }
}

/// A weak reference to a context.
// @unchecked: the tests only check whether the context still exists.
private final class WeakContext: @unchecked Sendable {
    weak var context: ObjectContext?
}

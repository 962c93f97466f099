import ContextCore
import Foundation
import Synchronization
import Testing

struct CancellationTests {
    private let fixture: StepStore
    private var store: Store { fixture.store }

    init() throws { fixture = try StepStore() }

    @Test func `A write that is cancelled while it waits never runs, and later ones do`() async throws {
        fixture.coordinator.writeGate.shut()
        let journal = Journal<String>()
        let first = try await submit("first", journal)
        let second = try await submit("second", journal)
        let third = try await submit("third", journal)
        second.cancel()
        let error = await #expect(throws: StoreError.self) { try await second.value }
        #expect(error?.code == .cancelled)
        #expect(error?.cause is CancellationError)
        fixture.coordinator.writeGate.open()
        try await first.value
        try await third.value
        #expect(journal.entries == ["first", "third"])
    }

    /// Submits a write, and returns when it has its position in the queue.
    private func submit(_ name: String, _ journal: Journal<String>) async throws -> Task<Void, any Error> {
        await MainActor.run {
            let task = Task { @MainActor in
                try await store.write(name) { _ in journal.append(name) }
            }
            return task
        }
    }

    @Test func `A write that is cancelled while it runs leaves nothing`() async throws {
        let gate = Gate()
        gate.shut()
        let task = Task {
            try await store.write("doomed") { context in
                _ = Remark(in: context, text: "Gone")
                try context.save()
                gate.pass()
            }
        }
        while fixture.state.openWrites == 0 { await Task.yield() }
        task.cancel()
        gate.open()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(fixture.state.rows.isEmpty)
        #expect(fixture.state.commitCount == 0)
        #expect(fixture.state.openWrites == 0)
    }

    @Test func `A block sees that its task was cancelled`() async throws {
        let gate = Gate()
        gate.shut()
        let seen = Journal<Bool>()
        let task = Task {
            try await store.read("long") { _ in
                gate.pass()
                seen.append(Task.isCancelled)
            }
        }
        while fixture.state.openReads == 0 { await Task.yield() }
        task.cancel()
        gate.open()
        _ = await task.result
        #expect(seen.entries == [true])
    }

    @Test func `An operation of a cancelled task doesn't use the store`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.write("late") { _ in Issue.record("The block ran.") }
        }
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `Cancelling at random never leaves an operation behind`() async throws {
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let task = Task {
                        try await store.write("\(number)") { context in
                            _ = Remark(in: context, text: "\(number)")
                        }
                    }
                    if number % 3 == 0 {
                        for _ in 0..<number % 7 { await Task.yield() }
                        task.cancel()
                    }
                    if case .success = await task.result { return true }
                    return false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(fixture.state.rows.count == outcomes)
        #expect(fixture.state.openWrites == 0)
        await store.close()
    }
}

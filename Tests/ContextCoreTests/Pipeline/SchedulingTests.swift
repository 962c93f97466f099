import Testing

@testable import ContextCore

/// The order of blocks that run immediately and of those that run after all others.
struct SchedulingTests {
    private let store: Store

    init() throws { store = try Store.inMemory([Remark.self]) }

    @Test func `Within the isolation, a block runs at once, or after waiting ones`() async throws {
        let journal = Journal<String>()
        try await store.makeBackgroundContext().performInTurn(journal)
        #expect(journal.entries == ["immediate", "waiting", "enqueued"])
    }

    @Test(arguments: ContextActor.Schedule.allCases)
    func `A block from another isolation waits for its turn`(_ schedule: ContextActor.Schedule) async throws {
        let editor = store.makeBackgroundContext()
        let journal = Journal<Int>()
        let tasks = await submit(200) { number in
            try await editor.perform(schedule: schedule) { _ in journal.append(number) }
        }
        for task in tasks { try await task.value }
        #expect(journal.entries == Array(0..<200))
    }

    @MainActor private func submit(
        _ count: Int, _ body: @escaping @MainActor @Sendable (Int) async throws -> Void
    ) -> [Task<Void, any Error>] {
        (0..<count).map { number in Task { try await body(number) } }
    }

    @Test(arguments: ContextActor.Schedule.allCases)
    func `Errors, values and task-local values are passed on`(_ schedule: ContextActor.Schedule)
        async throws
    {
        let editor = store.makeBackgroundContext()
        let name = try await Ambient.$name.withValue("request 7") {
            try await editor.nameInTurn(schedule)
        }
        #expect(name == "request 7")
        await #expect(throws: StoreError.self) {
            try await editor.perform(schedule: schedule) { _ in throw StoreError(.closed, "Closed.") }
        }
    }
}

private enum Ambient {
    @TaskLocal static var name = ""
}

extension ContextActor {
    /// Performs two blocks from within the context's isolation, and suspends in between.
    fileprivate func performInTurn(_ journal: Journal<String>) async throws {
        let waiting = Task { try self.perform { _ in journal.append("waiting") } }
        try await perform(schedule: .immediate) { _ in journal.append("immediate") }
        try await perform(schedule: .enqueued) { _ in journal.append("enqueued") }
        try await waiting.value
    }

    fileprivate func nameInTurn(_ schedule: Schedule) async throws -> String {
        try await perform(schedule: schedule) { _ in Ambient.name }
    }
}

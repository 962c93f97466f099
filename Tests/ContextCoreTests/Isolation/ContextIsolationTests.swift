import ContextCore
import Testing

struct ContextIsolationTests {
    @Test func `Claiming a context's isolation from outside traps`() async {
        await #expect(processExitsWith: .failure) {
            claimIsolation(try Store.inMemory([Remark.self]).makeBackgroundContext(name: "editor"))
        }
    }

    @Test func `Inside a block the isolation is the context's`() async throws {
        let editor = try Store.inMemory([Remark.self]).makeBackgroundContext()
        try await editor.perform { _ in editor.preconditionIsolated() }
        try performAndWait(editor)
    }

    @Test func `performAndWait in a task blocks the task's thread, and works`() async throws {
        let editor = try Store.inMemory([Remark.self]).makeBackgroundContext()
        for _ in 0..<100 {
            async let inTask: Void = editor.perform { _ in }
            try performAndWait(editor)
            try await inTask
        }
    }

    /// Calls `performAndWait` in a synchronous function, since the compiler rejects it in a task.
    private func performAndWait(_ editor: ContextActor) throws {
        try editor.performAndWait { _ in editor.preconditionIsolated() }
    }
}

private func claimIsolation(_ editor: ContextActor) {
    editor.assumeIsolated { _ in }
}

import ChildProcesses
import ContextCore
import Dispatch
import Testing

/// Blocks that pause before they are run again: such an operation waits like any other.
@Suite(.timeLimit(.minutes(20))) struct RepetitionPauseTests {
    typealias Form = RepetitionTests.Form

    /// A store whose pauses end when a test says so, or after a minute.
    private struct Fixture {
        let step: StepStore
        let attempts = Journal<Int>()
        /// What goes on when a pause is over.
        let pauses = Journal<@Sendable () -> Void>()

        init(_ options: StoreOptions = StoreOptions()) throws {
            var surroundings = PipelineSurroundings.system
            surroundings.pause = { [pauses] _, signal in
                pauses.note { signal.signal() }
                _ = signal.wait(.seconds(60))
            }
            surroundings.later = { [pauses] in pauses.note($1) }
            step = try StepStore(options: options, surroundings: surroundings)
        }

        /// Begins a block that something gets in the way of, once or always, and returns when it pauses.
        func begin(_ form: Form, always: Bool = true) async -> Task<Void, any Error> {
            let task = Task { [step, attempts] in
                try await form.write(step.store, retries: 3) { _ in
                    attempts.note(1)
                    if always || attempts.entries.count == 1 {
                        throw StoreError(.contention, "Another one was there.")
                    }
                }
            }
            while pauses.entries.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
            return task
        }
    }

    @Test(arguments: Form.allCases)
    func `It is among the operations, and is cancelled by its name`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.begin(form)
        #expect(fixture.step.store.operations.map(\.identifier) == ["count"])
        #expect(fixture.step.store.operations.first?.isRunning == false)
        #expect(fixture.step.store.cancelOperations(named: "count") == 1)
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled && fixture.attempts.entries.count == 1)
        // That its time passes afterwards has no consequence.
        for goOn in fixture.pauses.entries { goOn() }
        #expect(fixture.step.store.operations.isEmpty)
        await fixture.step.store.close()
        #expect(fixture.attempts.entries.count == 1)
    }

    @Test(arguments: Form.allCases)
    func `It is refused when the store is closed`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.begin(form)
        await fixture.step.store.close()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .closed && fixture.attempts.entries.count == 1)
    }

    @Test(arguments: Form.allCases)
    func `It is not refused for want of room, as it was accepted before`(_ form: Form) async throws {
        let fixture = try Fixture(StoreOptions(waitingLimit: 1))
        let store = fixture.step.store
        let task = await fixture.begin(form, always: false)
        fixture.step.coordinator.writeGate.shut()
        let others = ["running", "waiting"].map { name in
            Task { try await store.write(name, whenFull: .wait) { _ in } }
        }
        while store.operations.count < 3 { await Task.yield() }
        for goOn in fixture.pauses.entries { goOn() }
        // Until it waits behind the others, rather than in its pause.
        while store.operations.last?.identifier != "count" { await Task.yield() }
        fixture.step.coordinator.writeGate.open()
        try await task.value
        for other in others { try await other.value }
        #expect(fixture.attempts.entries.count == 2)
        await store.close()
    }

    @Test(arguments: [Form.awaiting, .coordinated])
    func `A task that is cancelled in the pause before says so`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.begin(form)
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled && fixture.attempts.entries.count == 1)
        #expect(fixture.step.store.operations.isEmpty)
        await fixture.step.store.close()
    }
}

import ChildProcesses
import ContextCore
import Dispatch
import Testing

/// Blocks that pause before a retry: such an operation waits like any other.
@Suite(.timeLimit(.minutes(20))) struct RepetitionPauseTests {
    typealias Form = RetryPolicyTests.Form

    /// A store whose pauses end when a test says so, or after a timeout that is long enough for busy machines.
    private struct Fixture {
        let step: StepStore
        let attempts = Journal<Int>()
        /// The continuations of the pauses.
        let pauses = Journal<@Sendable () -> Void>()
        /// The listed operations after a failed attempt, before its pause.
        let listedBetween = Journal<[String]>()

        init(_ options: StoreOptions = StoreOptions()) throws {
            var environment = PipelineEnvironment.system
            environment.pause = { [pauses] _, signal in
                pauses.append { signal.signal() }
                _ = signal.wait(.seconds(900))
            }
            environment.later = { [pauses] in pauses.append($1) }
            let store = Guarded<Store?>(nil)
            environment.chance = { [listedBetween] in
                listedBetween.append(store.withLock { $0 }?.operations.map(\.identifier) ?? [])
                return 0.5
            }
            let step = try StepStore(options: options, environment: environment)
            self.step = step
            store.withLock { $0 = step.store }
        }

        /// Starts a block that fails with contention, once or always, and returns when it pauses.
        func start(
            _ form: Form, always: Bool = true, on executor: (any TaskExecutor)? = nil
        ) async -> Task<Void, any Error> {
            let task = Task(executorPreference: executor) { [step, attempts] in
                try await form.write(step.store, retries: 3) { _ in
                    attempts.append(1)
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
    func `A pausing operation is listed, and cancelled by its name`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.start(form)
        #expect(fixture.step.store.operations.map(\.identifier) == ["count"])
        #expect(fixture.step.store.operations.first?.isRunning == false)
        #expect(fixture.step.store.statistics.waiting.writes == 1)
        #expect(fixture.step.store.cancelOperations(named: "count") == 1)
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled && fixture.attempts.entries.count == 1)
        // The expiry of its time has no effect afterwards.
        for resume in fixture.pauses.entries { resume() }
        #expect(fixture.step.store.operations.isEmpty)
        await fixture.step.store.close()
        #expect(fixture.attempts.entries.count == 1)
    }

    @Test(arguments: Form.allCases)
    func `An operation is listed between an attempt and the pause`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.start(form)
        #expect(fixture.listedBetween.entries == [["count"]])
        #expect(fixture.step.store.cancelOperations(named: "count") == 1)
        await #expect(throws: StoreError.self) { try await task.value }
        await fixture.step.store.close()
    }

    @Test(arguments: [Form.awaiting, .coordinated])
    func `An operation is listed and cancellable between a pause and the next attempt`(
        _ form: Form
    ) async throws {
        let fixture = try Fixture()
        let executor = HeldJobs()
        let task = await fixture.start(form, on: executor)
        executor.hold()
        for resume in fixture.pauses.entries { resume() }
        #expect(fixture.step.store.operations.map(\.identifier) == ["count"])
        #expect(fixture.step.store.operations.first?.isRunning == false)
        #expect(fixture.step.store.statistics.waiting.writes == 1)
        #expect(fixture.step.store.cancelOperations(named: "count") == 1)
        #expect(fixture.step.store.operations.isEmpty)
        #expect(fixture.step.store.statistics.waiting.writes == 0)
        #expect(fixture.step.store.cancelOperations(named: "count") == 0)
        executor.release()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled && fixture.attempts.entries.count == 1)
        await fixture.step.store.close()
    }

    @Test(arguments: Form.allCases)
    func `A pausing operation is rejected when the store is closed`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.start(form)
        await fixture.step.store.close()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .closed && fixture.attempts.entries.count == 1)
    }

    @Test(arguments: Form.allCases)
    func `A pausing operation runs again while the store is drained`(_ form: Form) async throws {
        let fixture = try Fixture()
        let store = fixture.step.store
        let task = await fixture.start(form, always: false)
        let draining = Task { await store.drain() }
        while (try? await store.read("probe", { _ in })) != nil { await Task.yield() }
        for resume in fixture.pauses.entries { resume() }
        try await task.value
        await draining.value
        #expect(fixture.attempts.entries.count == 2 && fixture.step.state.isClosed)
    }

    @Test(arguments: Form.allCases)
    func `A pausing operation is not rejected at the waiting limit, as it was accepted before`(_ form: Form)
        async throws
    {
        let fixture = try Fixture(StoreOptions(waitingLimit: 1))
        let store = fixture.step.store
        let task = await fixture.start(form, always: false)
        fixture.step.coordinator.writeGate.shut()
        let others = ["running", "waiting"].map { name in
            Task { try await store.write(name, overflow: .wait) { _ in } }
        }
        while store.operations.count < 3 { await Task.yield() }
        for resume in fixture.pauses.entries { resume() }
        // Until it waits for its turn behind the others, and no longer pauses.
        while store.operations.last?.identifier != "count" { await Task.yield() }
        fixture.step.coordinator.writeGate.open()
        try await task.value
        for other in others { try await other.value }
        #expect(fixture.attempts.entries.count == 2)
        await store.close()
    }

    @Test(arguments: [Form.awaiting, .coordinated])
    func `Cancelling a task during the pause is reported`(_ form: Form) async throws {
        let fixture = try Fixture()
        let task = await fixture.start(form)
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled && fixture.attempts.entries.count == 1)
        #expect(fixture.step.store.operations.isEmpty)
        await fixture.step.store.close()
    }
}

/// An executor that runs jobs on a queue, and can hold them.
///
/// `state` is guarded by its mutex.
private final class HeldJobs: TaskExecutor {
    private struct State {
        var isHolding = false
        var held: [UnownedJob] = []
    }

    private let state = Guarded(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isHeld = state.withLock { state in
            if state.isHolding { state.held.append(job) }
            return state.isHolding
        }
        if !isHeld { run(job) }
    }

    private func run(_ job: UnownedJob) {
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func hold() { state.withLock { $0.isHolding = true } }

    func release() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for job in held { run(job) }
    }
}

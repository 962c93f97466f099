import ChildProcesses
import ContextCore
import Foundation
import Testing

/// Draining a store: it closes after the submitted operations have ended.
@Suite(.timeLimit(.minutes(20))) struct StoreDrainingTests {
    private let fixture: StepStore
    private var store: Store { fixture.store }

    init() throws { fixture = try StepStore() }

    /// Starts a write that runs and others that wait, all until the gate opens.
    private func startWrites(_ count: Int) async -> [Task<Void, any Error>] {
        fixture.coordinator.writeGate.shut()
        let writes = (0..<count).map { number in
            Task { try await store.write("\(number)") { _ = Remark(in: $0, text: "Kept") } }
        }
        while store.operations.count < count { await Task.yield() }
        return writes
    }

    /// Starts to drain the store, and returns once it accepts no more operations.
    private func startDraining() async -> Task<Void, Never> {
        let draining = Task { await store.drain() }
        while (try? await store.read("probe", { _ in })) != nil { await Task.yield() }
        return draining
    }

    @Test func `Draining lets waiting operations run, and rejects later ones`() async throws {
        let writes = await startWrites(20)
        let draining = await startDraining()
        let error = await #expect(throws: StoreError.self) { try await store.write("late") { _ in } }
        #expect(error?.code == .closed)
        #expect(!fixture.state.isClosed)
        fixture.coordinator.writeGate.open()
        for write in writes { try await write.value }
        await draining.value
        #expect(fixture.state.isClosed && fixture.state.rows.count == 20)
    }

    @Test func `Draining waits for a write that conflicts and runs again`() async throws {
        let attempts = Journal<Int>()
        fixture.coordinator.writeGate.shut()
        let write = Task {
            try await store.write("count", retries: 3) { _ in
                attempts.append(1)
                if attempts.entries.count < 3 { throw StoreError(.contention, "Another one was there.") }
            }
        }
        while store.operations.isEmpty { await Task.yield() }
        let draining = await startDraining()
        fixture.coordinator.writeGate.open()
        try await write.value
        await draining.value
        #expect(attempts.entries.count == 3 && fixture.state.isClosed)
    }

    @Test func `Draining delivers the outcomes of a shared commit before it closes the store`() async throws {
        var environment = PipelineEnvironment.system
        // The clock stands still, so that waiting writes join a group however busy the machine is.
        environment.now = { [start = ContinuousClock.now] in start }
        let (coordinator, closed) = (Guarded<StepCoordinator?>(nil), Journal<Bool>())
        let log = OperationLog { report in
            guard report.identifier != "last" else { return }
            // Long enough for another thread to close the store, if it could.
            Thread.sleep(forTimeInterval: 0.05)
            let state = coordinator.withLock { $0 }?.state.withLock { $0 }
            closed.append(state?.isClosed != false)
        }
        let fixture = try StepStore(options: StoreOptions(operationLog: log), environment: environment)
        coordinator.withLock { $0 = fixture.coordinator }
        let store = fixture.store
        try await store.write("first") { _ = Remark(in: $0, text: "first") }
        fixture.coordinator.writeGate.shut()
        for number in 1...3 {
            store.write("\(number)", queue: .global(), { _ = Remark(in: $0, text: "shared") }) { _ in }
        }
        while store.operations.count < 3 { await Task.yield() }
        // The last write runs on its caller's thread, and so delivers the outcomes there.
        async let last: Void = onThread {
            try store.writeAndWait("last") { _ = Remark(in: $0, text: "last") }
        }
        while store.operations.count < 4 { await Task.yield() }
        let draining = Task { await store.drain() }
        fixture.coordinator.writeGate.open()
        try await last
        await draining.value
        #expect(closed.entries == [false, false, false, false])
        #expect(fixture.state.isClosed && fixture.state.rows.count == 5 && fixture.state.commitCount < 5)
    }

    @Test func `Draining waits for the reports of operations`() async throws {
        let reports = Journal<String>()
        let log = OperationLog { report in
            Thread.sleep(forTimeInterval: 0.05)
            reports.append(report.identifier)
        }
        let fixture = try StepStore(options: StoreOptions(operationLog: log))
        let store = fixture.store
        try await store.write("write") { _ = Remark(in: $0, text: "Kept") }
        fixture.coordinator.readGate.shut()
        let reads = (0..<3).map { number in Task { try await store.read("task", { _ in }) } }
        for _ in 0..<3 { store.read("completion", queue: .global(), { _ in }) { _ in } }
        while store.operations.count < 6 { await Task.yield() }
        fixture.coordinator.readGate.open()
        await store.drain()
        #expect(reports.entries.count == 7)
        for read in reads { try await read.value }
    }

    @Test func `Draining an idle store closes it, and draining or closing again changes nothing`()
        async throws
    {
        await store.drain()
        #expect(fixture.state.isClosed)
        await store.drain()
        await store.close()
    }

    @Test(arguments: [false, true])
    func `Cancelling the task, or closing, rejects what still waits`(isClosed: Bool) async throws {
        let writes = await startWrites(5)
        let draining = await startDraining()
        var closing: Task<Void, Never>?
        if isClosed { closing = Task { await store.close() } } else { draining.cancel() }
        for write in writes.dropFirst() {
            let error = await #expect(throws: StoreError.self) { try await write.value }
            #expect(error?.code == .closed)
        }
        fixture.coordinator.writeGate.open()
        try await writes.first?.value
        await draining.value
        await closing?.value
        #expect(fixture.state.isClosed && fixture.state.rows.count == 1)
    }

    @Test func `Statistics count the waiting and the running operations by kind`() async throws {
        let fixture = try StepStore(readLimit: 2)
        let store = fixture.store
        fixture.coordinator.writeGate.shut()
        fixture.coordinator.readGate.shut()
        let operations =
            (0..<4).map { number in Task { try await store.write("write \(number)") { _ in } } }
            + (0..<3).map { number in Task { try await store.read("read \(number)") { _ in } } }
        while store.operations.count < operations.count { await Task.yield() }
        let statistics = store.statistics
        #expect(statistics.running.writes == 1 && statistics.waiting.writes == 3)
        #expect(statistics.running.reads == 2 && statistics.waiting.reads == 1)
        #expect(statistics.database == nil)
        fixture.coordinator.writeGate.open()
        fixture.coordinator.readGate.open()
        for operation in operations { try await operation.value }
        await store.drain()
        let later = store.statistics
        #expect(later.running.writes + later.waiting.writes + later.running.reads + later.waiting.reads == 0)
    }
}

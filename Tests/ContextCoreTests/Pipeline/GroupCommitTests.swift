import ChildProcesses
import ContextCore
import Dispatch
import Foundation
import Synchronization
import Testing

/// Several writes with one commit.
struct GroupCommitTests {
    /// Creates a store whose clock stands still, so that waiting writes join a group however busy the machine is.
    private func fixture(groupsCommits: Bool = true, log: OperationLog? = nil) async throws -> StepStore {
        var environment = PipelineEnvironment.system
        environment.now = { [start = ContinuousClock.now] in start }
        let options = StoreOptions(groupsCommits: groupsCommits, operationLog: log)
        let fixture = try StepStore(options: options, environment: environment)
        fixture.coordinator.state.withLock { $0.commitDelay = 0.03 }
        try await fixture.store.write("first") { _ = Remark(in: $0, text: "first") }
        return fixture
    }

    /// Blocks the writer while writes are submitted in the order of their numbers, and then releases them together.
    private func submit(
        _ count: Int, to fixture: StepStore, _ body: @escaping @Sendable (Int, ObjectContext) throws -> Void
    ) async -> [Result<Void, any Error>] {
        fixture.coordinator.writeGate.shut()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<count {
            let store = fixture.store
            tasks.append(
                Task { try await store.write("\(number)") { try body(number, $0) } })
            while store.operations.count <= number { await Task.yield() }
        }
        // Wait until all of them wait for their turn, and not only for their position.
        try? await Task.sleep(for: .milliseconds(20))
        fixture.coordinator.writeGate.open()
        var results: [Result<Void, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    @Test func `Waiting writes share a commit, in their order`() async throws {
        let fixture = try await fixture()
        let order = Journal<Int>()
        let results = await submit(20, to: fixture) { number, context in
            order.append(number)
            _ = Remark(in: context, text: "remark", number: number)
        }
        for result in results { try result.get() }
        #expect(order.entries == Array(0..<20))
        #expect(fixture.state.rows.count == 21)
        #expect(fixture.state.commitCount < 10, "One commit for the first write, and a few for the others")
        #expect(fixture.state.openWrites == 0)
        await fixture.store.close()
    }

    @Test(.timeLimit(.minutes(10)))
    func `A write is listed until its commit has ended`() async throws {
        let fixture = try await fixture()
        let (store, coordinator, ran) = (fixture.store, fixture.coordinator, Journal<Int>())
        coordinator.commitGate.shut()
        async let results = submit(2, to: fixture) { number, context in
            _ = Remark(in: context, text: "remark", number: number)
            ran.append(number)
        }
        while ran.entries.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        // The block of the second write has the session of the first, which is committed with it.
        #expect(store.operations.map(\.identifier) == ["0", "1"])
        #expect(store.operations.map(\.isRunning) == [true, true])
        #expect(store.cancelOperations(named: "0") == 0)
        coordinator.commitGate.open()
        for result in await results { try result.get() }
        #expect(store.operations.isEmpty && fixture.state.commitCount == 2)
        await store.close()
    }

    @Test func `Without group commits, every write has its own commit`() async throws {
        let fixture = try await fixture(groupsCommits: false)
        let results = await submit(5, to: fixture) { number, context in
            _ = Remark(in: context, text: "remark", number: number)
        }
        for result in results { try result.get() }
        #expect(fixture.state.commitCount == 6)
    }

    @Test func `A failed write leaves nothing, and the others stay`() async throws {
        let fixture = try await fixture()
        let results = await submit(9, to: fixture) { number, context in
            _ = Remark(in: context, text: "remark", number: number)
            try context.save()
            if number % 3 == 1 { throw CocoaError(.featureUnsupported) }
        }
        for (number, result) in results.enumerated() {
            if number % 3 == 1 {
                #expect(throws: CocoaError.self) { try result.get() }
            } else {
                try result.get()
            }
        }
        let numbers = try await fixture.store.read("look") {
            try $0.fetch(Remark.self).map(\.number).sorted()
        }
        #expect(numbers == [0, 0, 2, 3, 5, 6, 8])
        #expect(fixture.state.openWrites == 0)
    }

    @Test func `If the commit fails, all writes fail`() async throws {
        let fixture = try await fixture()
        fixture.coordinator.state.withLock { $0.commitError = StoreError(.diskFull, "There is no room.") }
        let results = await submit(4, to: fixture) { number, context in
            _ = Remark(in: context, text: "remark", number: number)
        }
        for result in results { #expect(throws: StoreError.self) { try result.get() } }
        #expect(fixture.state.rows.count == 1 && fixture.state.openWrites == 0)
        fixture.coordinator.state.withLock { $0.commitError = nil }
        try await fixture.store.write("again") { _ = Remark(in: $0, text: "again") }
        #expect(fixture.state.rows.count == 2)
    }

    @Test func `The changes of each write are reported separately, with their own token`() async throws {
        let fixture = try await fixture()
        var changes = fixture.store.changes.makeAsyncIterator()
        let results = await submit(6, to: fixture) { number, context in
            _ = Remark(in: context, text: "remark", number: number)
        }
        for result in results { try result.get() }
        var tokens: [StoreToken] = []
        for number in 0..<6 {
            let change = try #require(await changes.next())
            #expect(change.inserted.count == 1 && change.contextName == "\(number)")
            tokens.append(change.token)
        }
        #expect(Set(tokens).count == 6)
    }

    @Test(arguments: [false, true])
    func `A slow log doesn't delay other writes`(_ isOfFailure: Bool) async throws {
        let found = Guarded<(store: Store?, hasWritten: Bool?)>((nil, nil))
        let log = OperationLog { report in
            guard report.identifier == (isOfFailure ? "1" : "0"), let store = found.withLock({ $0.store })
            else { return }
            let written = DispatchSemaphore(value: 0)
            store.write("meanwhile", queue: .global(), { _ in }) { _ in written.signal() }
            let hasWritten = written.wait(timeout: .now() + 60) == .success
            found.withLock { $0.hasWritten = hasWritten }
        }
        let fixture = try await fixture(log: log)
        found.withLock { $0.store = fixture.store }
        fixture.coordinator.writeGate.shut()
        let (answers, sink) = AsyncStream.makeStream(of: Void.self)
        for number in 0..<3 {
            fixture.store.write("\(number)", queue: .global()) { context in
                _ = Remark(in: context, text: "remark", number: number)
                if isOfFailure, number == 1 { throw CancellationError() }
            } completion: { _ in
                sink.yield()
            }
        }
        fixture.coordinator.writeGate.open()
        var left = 3
        for await _ in answers {
            left -= 1
            if left == 0 { break }
        }
        #expect(found.withLock { $0.hasWritten } == true)
        #expect(fixture.state.rows.count == (isOfFailure ? 3 : 4) && fixture.state.commitCount < 4)
        found.withLock { $0.store = nil }
        await fixture.store.close()
    }

    @Test func `A single write commits at once`() async throws {
        let fixture = try await fixture()
        for number in 0..<5 {
            try await fixture.store.write("\(number)") { _ = Remark(in: $0, text: "alone") }
            #expect(fixture.state.commitCount == number + 2)
        }
    }

    @Test func `Saves of contexts and of blocking callers join too`() async throws {
        let fixture = try await fixture()
        fixture.coordinator.writeGate.shut()
        let store = fixture.store
        async let context: Void = store.makeBackgroundContext(name: "editor").perform { context in
            _ = Remark(in: context, text: "saved")
            try context.save()
        }
        async let thread: Void = onThread {
            try store.writeAndWait("thread") { _ = Remark(in: $0, text: "thread") }
        }
        async let task: Void = store.write("task") { _ = Remark(in: $0, text: "task") }
        while store.operations.count < 3 { try await Task.sleep(for: .milliseconds(1)) }
        fixture.coordinator.writeGate.open()
        _ = try await (context, thread, task)
        #expect(fixture.state.rows.count == 4 && fixture.state.openWrites == 0)
    }
}

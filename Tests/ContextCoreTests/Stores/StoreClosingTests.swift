import ChildProcesses
import Foundation
import Synchronization
import Testing

@testable import ContextCore

struct StoreClosingTests {
    private let fixture: StepStore
    private var store: Store { fixture.store }

    init() throws { fixture = try StepStore() }

    @Test func `Closing lets running operations finish and rejects waiting ones`() async throws {
        fixture.coordinator.writeGate.shut()
        let running = Task { try await store.write("running") { _ = Remark(in: $0, text: "Kept") } }
        while fixture.store.pipeline.threads.count == 0 { await Task.yield() }
        let waiting = (0..<20).map { number in Task { try await store.write("\(number)") { _ in } } }
        try await Task.sleep(for: .milliseconds(20))
        async let closed: Void = store.close()
        for task in waiting {
            let error = await #expect(throws: StoreError.self) { try await task.value }
            #expect(error?.code == .closed)
        }
        #expect(!fixture.state.isClosed)
        fixture.coordinator.writeGate.open()
        try await running.value
        await closed
        #expect(fixture.state.isClosed)
        #expect(fixture.state.rows.count == 1)
        #expect(store.pipeline.threads.count == 0)
    }

    @Test func `Later operations fail since the store is closed, and closing again changes nothing`()
        async throws
    {
        await store.close()
        await store.close()
        let error = await #expect(throws: StoreError.self) { try await store.read("late") { _ in } }
        #expect(error?.code == .closed)
        #expect(error?.message.contains("read \"late\"") == true)
        let waiting = try await onThread { [store] in
            #expect(throws: StoreError.self) { try store.writeAndWait("late") { _ in } }
        }
        #expect(waiting?.code == .closed)
    }

    @Test func `A store without references and contexts closes itself`() async throws {
        let coordinator = StepCoordinator(model: try ObjectModel([Remark.self]))
        var editor: ContextActor?
        do {
            let store = try Store(coordinator: coordinator)
            try await store.write("add") { _ = Remark(in: $0, text: "Kept") }
            editor = store.makeBackgroundContext()
        }
        let count = try await editor?.perform { try $0.count(Remark.self) }
        #expect(count == 1)
        #expect(!coordinator.state.withLock { $0.isClosed })
        editor = nil
        for _ in 0..<1000 where !coordinator.state.withLock({ $0.isClosed }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(coordinator.state.withLock { $0.isClosed })
    }

    @Test func `The write throws the error of its commit, and no change is reported`() async throws {
        var changes = store.changes.makeAsyncIterator()
        fixture.coordinator.state.withLock {
            $0.commitError = StoreError(.diskFull, "There is no room left.")
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write("add") { _ = Remark(in: $0, text: "Gone") }
        }
        #expect(error?.code == .diskFull)
        #expect(fixture.state.openWrites == 0)
        fixture.coordinator.state.withLock { $0.commitError = nil }
        try await store.write("again") { _ = Remark(in: $0, text: "Kept") }
        #expect(await changes.next()?.contextName == "again")
    }
}

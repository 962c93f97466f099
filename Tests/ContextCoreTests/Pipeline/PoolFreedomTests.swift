import ContextCore
import Dispatch
import Foundation
import Testing

/// Nothing that waits for a store takes a thread of Swift's cooperative pool.
@Suite(.timeLimit(.minutes(10))) struct PoolFreedomTests {
    @Test func `Timers fire while 64 operations wait for a blocked session`() async throws {
        let fixture = try StepStore()
        fixture.coordinator.readGate.shut()
        fixture.coordinator.writeGate.shut()
        let operations = (0..<64).map { number in
            Task {
                number.isMultiple(of: 2)
                    ? try await fixture.store.write("\(number)") { _ in }
                    : try await fixture.store.read("\(number)") { _ in }
            }
        }
        let editors = (0..<16).map { number in
            let editor = fixture.store.makeContext(name: "\(number)")
            return Task { try await editor.perform { _ = try $0.fetch(Remark.self) } }
        }
        // Each would sleep until the gates are open if waiting operations blocked the pool.
        for _ in 0..<10 { try await Task.sleep(for: .milliseconds(5)) }
        fixture.coordinator.readGate.open()
        fixture.coordinator.writeGate.open()
        for operation in operations + editors { try await operation.value }
        #expect(fixture.state.mostReads <= 4)
        #expect(fixture.state.mostWrites == 1)
    }

    @Test func `A block runs in its task, and not on the cooperative pool`() async throws {
        let store = try Store.inMemory([Remark.self])
        try await Ambient.$name.withValue("request 7") {
            let (name, thread) = try await store.read("look") { _ in
                (Ambient.name, Thread.current.name)
            }
            #expect(name == "request 7")
            #expect(thread == "store")
        }
    }

    @Test func `One session is enough for a hundred who want to read`() async throws {
        let fixture = try StepStore(readLimit: 1)
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { try await fixture.store.read("\(number)") { _ in } }
                group.addTask { try await fixture.store.write("\(number)") { _ in } }
            }
            try await group.waitForAll()
        }
        #expect(fixture.state.mostReads == 1)
    }
}

private enum Ambient {
    @TaskLocal static var name = ""
}

import Testing

@testable import ContextCore

struct CoalescedWakeupTests {
    @Test func `Several calls cause one wakeup until it has run`() {
        let asked = Guarded(0)
        let wake = CoalescedWakeup { _ in asked.withLock { $0 += 1 } }
        for _ in 0..<5 { wake.scheduleIfNeeded() }
        #expect(asked.withLock { $0 } == 1)
        wake.markBegun()
        for _ in 0..<5 { wake.scheduleIfNeeded() }
        #expect(asked.withLock { $0 } == 2)
    }
}

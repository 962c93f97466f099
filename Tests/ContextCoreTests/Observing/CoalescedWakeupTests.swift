import Testing

@testable import ContextCore

struct CoalescedWakeupTests {
    @Test func `However often it is called, one look is asked for until somebody looks`() {
        let asked = Guarded(0)
        let wake = CoalescedWakeup { _ in asked.withLock { $0 += 1 } }
        for _ in 0..<5 { wake.call() }
        #expect(asked.withLock { $0 } == 1)
        wake.markBegun()
        for _ in 0..<5 { wake.call() }
        #expect(asked.withLock { $0 } == 2)
    }
}

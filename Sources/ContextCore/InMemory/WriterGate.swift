import Foundation

/// Lets one writer in at a time, in the order in which they came.
// @unchecked: every property is guarded by the condition.
final class WriterGate: @unchecked Sendable {
    private let condition = NSCondition()
    /// The number that the next to come gets.
    private var nextTicket = 0
    /// The number of the one that is in, or may come in.
    private var serving = 0
    private var isClosed = false

    /// Waits until nobody else is in; returns false when the store is closed.
    func enter() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let ticket = nextTicket
        nextTicket += 1
        while serving != ticket, !isClosed { condition.wait() }
        return !isClosed
    }

    /// Lets the next one in.
    func leave() {
        condition.lock()
        defer { condition.unlock() }
        serving += 1
        condition.broadcast()
    }

    /// Sends everybody away who waits, and whoever comes later.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }
}

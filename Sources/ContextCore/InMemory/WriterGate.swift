import Foundation

/// A fair lock that admits one writer at a time in FIFO order.
// @unchecked: the condition guards every property.
final class WriterGate: @unchecked Sendable {
    private let condition = NSCondition()
    /// The ticket of the next writer to arrive.
    private var nextTicket = 0
    /// The ticket of the writer that is admitted or will be admitted next.
    private var serving = 0
    private var isClosed = false

    /// Blocks until the caller is the only writer; returns false if the gate is closed.
    func enter() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let ticket = nextTicket
        nextTicket += 1
        while serving != ticket, !isClosed { condition.wait() }
        return !isClosed
    }

    /// Admits the next writer.
    func exit() {
        condition.lock()
        defer { condition.unlock() }
        serving += 1
        condition.broadcast()
    }

    /// Rejects all waiting and later writers.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }
}

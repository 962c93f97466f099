import Dispatch
import Synchronization

/// Limits how many requests of the studio run at once; the others wait for their turn.
///
/// State: a semaphore of the free slots, and whether the studio stops.
final class StudioSlots: Sendable {
    private static let timeout = DispatchTimeInterval.seconds(30)
    private let count: Int
    /// The requests, for errors.
    private let plural: String
    private let free = DispatchSemaphore(value: 0)
    private let isStopping = Atomic(false)

    /// - Parameter plural: The requests, as the subject of a sentence.
    init(_ count: Int, _ plural: String) {
        self.count = count
        self.plural = plural
        // Signaled rather than created with the value, because a semaphore below its first value must not be released.
        for _ in 0..<count { free.signal() }
    }

    /// Waits for a slot, and runs a closure in it.
    func withSlot<Value>(_ body: () throws -> Value) throws -> Value {
        guard free.wait(timeout: .now() + Self.timeout) == .success else {
            throw AdminError(
                code: "SC2104", exit: .temporary,
                message: "\(count) \(plural) are running, and none has ended in time.",
                hint: "Close other tabs of the page, or wait for what they load.", isRetryable: true)
        }
        // After a stop, it wakes the next request that waits.
        defer { free.signal() }
        if isStopping.load(ordering: .acquiring) {
            throw AdminError(
                code: "SC2107", exit: .temporary, message: "the studio stops, and didn't run the request.",
                hint: "Start it again, and open the address that it prints.", isRetryable: true)
        }
        return try body()
    }

    /// Ends all waits with an error, and those that begin later.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        free.signal()
    }
}

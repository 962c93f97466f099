import Dispatch

/// Lets a store's own thread wait for a task; no task may wait for it.
final class Semaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }
    func wait() { semaphore.wait() }
    /// Whether it was signalled in time.
    func wait(atMost seconds: Double) -> Bool { semaphore.wait(timeout: .now() + seconds) == .success }
}

import Dispatch

/// A semaphore for threads of a store to wait on; tasks must not wait on it, since waiting blocks the thread.
final class Semaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }
    func wait() { semaphore.wait() }
    /// Waits up to some seconds, and returns whether the semaphore was signaled.
    func wait(atMost seconds: Double) -> Bool { semaphore.wait(timeout: .now() + seconds) == .success }
}

import Dispatch

/// A semaphore on which a store's threads wait.
///
/// Tasks must not wait on it, because waiting blocks the thread.
final class Semaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }
    func wait() { semaphore.wait() }
    /// Waits for at most the given number of seconds, and returns whether the semaphore was signaled.
    func wait(timeout seconds: Double) -> Bool { semaphore.wait(timeout: .now() + seconds) == .success }
}

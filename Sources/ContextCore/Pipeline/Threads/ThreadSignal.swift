package import Dispatch

/// A semaphore with which a thread wakes another.
package final class ThreadSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Wakes the waiting thread, or the next thread that waits.
    package func signal() { semaphore.signal() }

    /// Blocks the calling thread until `signal()` is called.
    func wait() {
        ThreadCache.willBlock()
        guard let scheduled = ScheduledThread.current else { return semaphore.wait() }
        if !tryWait() { scheduled.pause { self.tryWait() } }
    }

    /// Consumes a signal without blocking; returns false if there is none.
    package func tryWait() -> Bool {
        // The time 0 means "now" and doesn't block. For another time in the past, the system would put the thread to sleep briefly.
        semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success
    }

    /// Blocks the calling thread until `signal()` is called or a timeout ends; returns false after a timeout.
    package func wait(_ time: DispatchTimeInterval) -> Bool {
        ThreadCache.willBlock()
        return semaphore.wait(timeout: .now() + time) == .success
    }
}

/// A thread of a test that schedules its threads deterministically.
///
/// Such a thread never blocks in the operating system; it pauses until a condition is true.
package final class ScheduledThread {
    /// Returns whether a paused thread can continue; called on any thread, and not again after it has returned true.
    package typealias Condition = @Sendable () -> Bool

    private static let thread = ThreadLocal<ScheduledThread>()
    private let whenPaused: (@escaping Condition) -> Void

    /// Makes a thread.
    ///
    /// - Parameter whenPaused: Called for each pause with its condition; must not return before the condition is true.
    package init(whenPaused: @escaping (@escaping Condition) -> Void) { self.whenPaused = whenPaused }

    /// The calling thread, if it is a scheduled one.
    package static var current: ScheduledThread? { thread.current }

    /// Lets other threads run until a condition is true.
    package func pause(until condition: @escaping Condition = { true }) { whenPaused(condition) }

    /// Runs a closure on the calling thread, with ``current`` set to this object.
    package func run(_ body: () -> Void) {
        Self.thread.current = self
        defer { Self.thread.current = nil }
        withExtendedLifetime(self, body)
    }
}

package import Dispatch

/// Lets one thread wait until another lets it go on.
package final class ThreadSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Lets the thread go on that waits, or will.
    package func signal() { semaphore.signal() }

    /// Blocks the thread until it may go on.
    func wait() {
        guard let scheduled = ScheduledThread.current else { return semaphore.wait() }
        while semaphore.wait(timeout: .now()) == .timedOut { scheduled.pause() }
    }

    /// Blocks the thread until it may go on, at most so long; false when nobody has let it.
    package func wait(_ time: DispatchTimeInterval) -> Bool {
        semaphore.wait(timeout: .now() + time) == .success
    }
}

/// A thread that runs only when somebody says so: those of tests that choose who runs when.
///
/// Such a thread never blocks; it pauses, again and again, until it may go on.
package final class ScheduledThread {
    private static let thread = ThreadSpecific<ScheduledThread>()
    private let whenPaused: () -> Void

    /// Makes one whose pauses last as long as a closure takes.
    package init(whenPaused: @escaping () -> Void) { self.whenPaused = whenPaused }

    /// The calling thread, if it is such a one.
    package static var current: ScheduledThread? { thread.current }

    /// Lets others run first.
    package func pause() { whenPaused() }

    /// Runs something as this thread, on the calling one.
    package func run(_ body: () -> Void) {
        Self.thread.current = self
        defer { Self.thread.current = nil }
        withExtendedLifetime(self, body)
    }
}

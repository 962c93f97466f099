package import Dispatch

/// Lets one thread wait until another lets it go on.
package final class ThreadSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Lets the thread go on that waits, or will.
    package func signal() { semaphore.signal() }

    /// Blocks the thread until it may go on.
    func wait() {
        ThreadCache.willBlock()
        guard let scheduled = ScheduledThread.current else { return semaphore.wait() }
        if !take() { scheduled.pause { self.take() } }
    }

    /// Whether the thread may go on; it doesn't wait for that.
    package func take() -> Bool {
        // The moment 0 stands for "now", at which nothing is waited for. For one that has passed the system would still put the
        // thread to sleep, and wake it a little later.
        semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success
    }

    /// Blocks the thread until it may go on, at most so long; false when nobody has let it.
    package func wait(_ time: DispatchTimeInterval) -> Bool {
        ThreadCache.willBlock()
        return semaphore.wait(timeout: .now() + time) == .success
    }
}

/// A thread that runs only when somebody says so: those of tests that choose who runs when.
///
/// Such a thread never blocks; it pauses until it may go on.
package final class ScheduledThread {
    /// Answers, on whatever thread, whether one that pauses may go on; asked again only after it has said no.
    package typealias Condition = @Sendable () -> Bool

    private static let thread = ThreadSpecific<ScheduledThread>()
    private let whenPaused: (@escaping Condition) -> Void

    /// Makes one whose pauses last as long as a closure takes, which is given what has to hold afterwards.
    package init(whenPaused: @escaping (@escaping Condition) -> Void) { self.whenPaused = whenPaused }

    /// The calling thread, if it is such a one.
    package static var current: ScheduledThread? { thread.current }

    /// Lets others run first, and until something holds that they see to.
    package func pause(until mayGoOn: @escaping Condition = { true }) { whenPaused(mayGoOn) }

    /// Runs something as this thread, on the calling one.
    package func run(_ body: () -> Void) {
        Self.thread.current = self
        defer { Self.thread.current = nil }
        withExtendedLifetime(self, body)
    }
}

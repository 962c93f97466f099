#if Postgres
/// The state machine of a wait for a result: it waits as long as the server works, and gives up if the server can't be reached.
///
/// The waiting thread performs its steps, and passes the time and the results, so tests need no server and no clock.
struct ResultWait {
    typealias Instant = ContinuousClock.Instant

    enum Step: Equatable {
        /// Wait for data from the server up to a time limit.
        case wait(Duration)
        /// Cancel the statement.
        case cancel
        /// Check with another connection whether the server still works on the statement.
        case inquire
        /// Abandon the connection.
        case giveUp
    }

    /// The interval at which a waiting thread checks whether its task was cancelled.
    static let cancellationCheckInterval = Duration.milliseconds(50)

    /// The interval at which a cancellation is repeated, since the server ignores one that arrives before the statement.
    static let cancellationInterval = Duration.seconds(1)

    /// The time without data from the server after which an inquiry is due.
    private let timeout: Duration
    /// The time to wait for a result that may have been on its way during an inquiry.
    private let grace: Duration
    private let isCancellable: Bool
    /// Whether another connection can be used for inquiries.
    private let canInquire: Bool
    private var lastActivity: Instant
    private var lastCancellation: Instant?
    private var isIdle = false
    private var queuedBytes = 0

    init(timeout: Duration, isCancellable: Bool, canInquire: Bool, at now: Instant) {
        self.timeout = timeout
        self.isCancellable = isCancellable
        self.canInquire = canInquire
        grace = min(timeout / 4, .seconds(1))
        lastActivity = now
    }

    /// Returns the step to perform now.
    mutating func next(at now: Instant, isCancelled wasCancelled: Bool) -> Step {
        let untilCancellation = timeUntilCancellation(at: now, wasCancelled)
        if let untilCancellation, untilCancellation <= .zero {
            lastCancellation = now
            return .cancel
        }
        let left = (isIdle ? grace : timeout) - lastActivity.duration(to: now)
        if left <= .zero { return canInquire && !isIdle ? .inquire : .giveUp }
        let pause = isCancellable ? untilCancellation ?? Self.cancellationCheckInterval : left
        return .wait(min(left, pause))
    }

    /// Returns the time until the next cancellation is due; nil if none is.
    private func timeUntilCancellation(at now: Instant, _ wasCancelled: Bool) -> Duration? {
        guard isCancellable, wasCancelled else { return nil }
        return lastCancellation.map { Self.cancellationInterval - $0.duration(to: now) } ?? .zero
    }

    /// Records that the server has sent or accepted data.
    mutating func recordActivity(at now: Instant) {
        lastActivity = now
        isIdle = false
    }

    /// Records the size of the send queue; if it shrinks, the server accepts data.
    mutating func recordQueueSize(_ bytes: Int, at now: Instant) {
        if bytes < queuedBytes { recordActivity(at: now) }
        queuedBytes = bytes
    }

    /// Records the result of an inquiry.
    mutating func recordInquiry(isWorking: Bool, at now: Instant) {
        lastActivity = now
        isIdle = !isWorking
    }
}
#endif

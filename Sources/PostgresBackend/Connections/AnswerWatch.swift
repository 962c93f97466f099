#if Postgres
/// Decides how long an answer is waited for: a server that works may take its time, one that is gone must not be waited for.
///
/// It is a value that knows no server and no clock. Whoever waits asks it what to do, and tells it what came of that.
struct AnswerWatch {
    typealias Instant = ContinuousClock.Instant

    enum Step: Equatable {
        /// Wait for a sign of the server, so long at most.
        case wait(Duration)
        /// Let the server cancel the statement.
        case cancel
        /// Ask by another connection whether the server still works on the statement.
        case inquire
        /// Nothing will come any more.
        case giveUp
    }

    /// How often a thread that waits looks whether its task was cancelled.
    static let glance = Duration.milliseconds(50)

    /// How long the answer to a cancellation is waited for, until the server is told again: it overhears one that comes before the
    /// statement.
    static let repetition = Duration.seconds(1)

    /// How long the server may be silent until it is asked.
    private let patience: Duration
    /// How long an answer is waited for that may have been on its way while the server was asked.
    private let grace: Duration
    private let heedsCancellation: Bool
    /// Whether there is another connection to ask by.
    private let mayInquire: Bool
    private var lastSign: Instant
    private var lastCancellation: Instant?
    private var isIdle = false
    private var queuedBytes = 0

    init(patience: Duration, heedsCancellation: Bool, mayInquire: Bool, at now: Instant) {
        self.patience = patience
        self.heedsCancellation = heedsCancellation
        self.mayInquire = mayInquire
        grace = min(patience / 4, .seconds(1))
        lastSign = now
    }

    /// What to do now.
    mutating func next(at now: Instant, isCancelled wasCancelled: Bool) -> Step {
        let untilCancellation = timeUntilCancellation(at: now, wasCancelled)
        if let untilCancellation, untilCancellation <= .zero {
            lastCancellation = now
            return .cancel
        }
        let left = (isIdle ? grace : patience) - lastSign.duration(to: now)
        if left <= .zero { return mayInquire && !isIdle ? .inquire : .giveUp }
        let pause = heedsCancellation ? untilCancellation ?? Self.glance : left
        return .wait(min(left, pause))
    }

    /// In what time the server has to be told to cancel the statement; nil where it hasn't.
    private func timeUntilCancellation(at now: Instant, _ wasCancelled: Bool) -> Duration? {
        guard heedsCancellation, wasCancelled else { return nil }
        return lastCancellation.map { Self.repetition - $0.duration(to: now) } ?? .zero
    }

    /// Something came from the server, or it took something.
    mutating func noteSign(at now: Instant) {
        lastSign = now
        isIdle = false
    }

    /// So many bytes have not arrived at the server yet: fewer than before are a sign, though it may be long until it takes more.
    mutating func noteQueue(_ bytes: Int, at now: Instant) {
        if bytes < queuedBytes { noteSign(at: now) }
        queuedBytes = bytes
    }

    /// The server was asked, and works on the statement, or doesn't.
    mutating func noteInquiry(isWorking: Bool, at now: Instant) {
        lastSign = now
        isIdle = !isWorking
    }
}
#endif

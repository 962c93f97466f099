#if Postgres
/// Decides whether to sleep between chunks of a large result.
///
/// The server sends chunks of eight kilobytes, and waking a waiting thread for each of them takes a fifth of the total time. A thread
/// that sleeps briefly finds several chunks.
///
/// The caller passes the time, so tests need no server and no clock.
struct ResultPacing {
    typealias Instant = ContinuousClock.Instant

    /// The length of a pause.
    static let pause = Duration.microseconds(100)
    /// The number of bytes that should arrive during a pause.
    ///
    /// With fewer bytes, pauses avoid few wakeups. With more, the server soon has to wait for space in the socket's buffer of about 200
    /// kilobytes.
    static let worthwhileBytes = 16 * 1024...128 * 1024
    /// The number of consecutive pauses with too few or too many bytes after which pauses stop.
    static let maximumUselessPauses = 3

    private let start: Instant
    private var uselessPauses = 0

    init(at start: Instant) { self.start = start }

    /// Returns whether to pause before the next chunk; false until the result has taken ten times as long as a pause.
    func shouldPause(at now: Instant) -> Bool {
        uselessPauses < Self.maximumUselessPauses && start.duration(to: now) >= Self.pause * 10
    }

    /// Records the number of bytes that arrived during a pause.
    mutating func recordReceived(bytes: Int) {
        uselessPauses = Self.worthwhileBytes.contains(bytes) ? 0 : uselessPauses + 1
    }
}
#endif

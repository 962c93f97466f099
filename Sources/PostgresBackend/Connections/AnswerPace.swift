#if Postgres
/// Decides whether to leave an answer alone for a moment that comes in many parts.
///
/// A server has to wake a thread that waits for it, for every eight kilobytes that it sends, which takes both of them a fifth of their time. A
/// thread that sleeps for a moment and wakes by itself finds several of those.
///
/// It is a value that knows no server and no clock.
struct AnswerPace {
    typealias Instant = ContinuousClock.Instant

    /// How long a pause is.
    static let pause = Duration.microseconds(100)
    /// How many bytes a pause has to bring.
    ///
    /// With fewer there is hardly anybody to be woken; where there are more, the server soon has
    /// to wait for room: a socket between two processes holds some 200 kilobytes.
    static let worthwhile = 16 * 1024...128 * 1024
    /// After so many pauses in a row that brought too little, or too much, there are no more.
    static let patience = 3

    private let start: Instant
    private var vainPauses = 0

    init(at start: Instant) { self.start = start }

    /// Whether to pause before the next part is waited for; never before the answer has taken ten times as long.
    func wantsPause(at now: Instant) -> Bool {
        vainPauses < Self.patience && start.duration(to: now) >= Self.pause * 10
    }

    /// So many bytes were there after a pause.
    mutating func note(bytes: Int) {
        vainPauses = Self.worthwhile.contains(bytes) ? 0 : vainPauses + 1
    }
}
#endif

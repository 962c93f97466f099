#if Postgres
/// Decides how long to leave an answer alone that comes in many parts.
///
/// A server has to wake a thread that waits for it, for every eight kilobytes that it sends, which takes both of them a fifth of their time. A
/// thread that sleeps for a moment and wakes by itself finds many of those.
///
/// It is a value that knows no server and no clock.
struct AnswerPace {
    typealias Instant = ContinuousClock.Instant

    /// How long a pause is at most: what a server sends meanwhile has room in any socket.
    static let longest = Duration.microseconds(500)
    /// Whoever wants to sleep for less sleeps longer than that.
    static let shortest = Duration.microseconds(50)

    private var start: Instant?

    /// How long to sleep before the next part is waited for; nil where it isn't worth it.
    ///
    /// It is never more than a tenth of the time since the first part was waited for, so that a short answer comes no later.
    mutating func pause(at now: Instant) -> Duration? {
        guard let start else {
            self.start = now
            return nil
        }
        let pause = min(start.duration(to: now) / 10, Self.longest)
        return pause < Self.shortest ? nil : pause
    }
}
#endif

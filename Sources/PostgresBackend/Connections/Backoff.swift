#if Postgres
/// Exponential backoff with jitter: the pauses between retries.
struct Backoff {
    private static let first = Duration.milliseconds(10)
    private let maximumPause: Duration
    private var ceiling = first

    init(maximumPause: Duration = .seconds(1)) { self.maximumPause = maximumPause }

    /// Returns the next pause: a random time between half of the ceiling and the ceiling, which doubles each time up to `maximumPause`.
    mutating func nextPause() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return nextPause(using: &generator)
    }

    mutating func nextPause(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { ceiling = min(ceiling * 2, maximumPause) }
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }
}
#endif

#if Postgres
/// Exponential backoff with jitter: the pauses between retries.
struct Backoff {
    private static let first = Duration.milliseconds(10)
    private let longest: Duration
    private var ceiling = first

    init(longest: Duration = .seconds(1)) { self.longest = longest }

    /// Returns the next pause: a random time between half of the ceiling and the ceiling, which doubles each time up to `longest`.
    mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        defer { ceiling = min(ceiling * 2, longest) }
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }
}
#endif

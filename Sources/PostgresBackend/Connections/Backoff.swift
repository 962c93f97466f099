#if Postgres
/// How long to wait before something is tried again: longer each time, and never as long as somebody else does.
struct Backoff {
    private static let first = Duration.milliseconds(10)
    private let longest: Duration
    private var ceiling = first

    init(longest: Duration = .seconds(1)) { self.longest = longest }

    /// The next pause: between half of the ceiling and all of it, where the ceiling doubles each time.
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

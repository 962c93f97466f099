import Dispatch

/// The environment injected into a pipeline or a connection pool: threads, clock, timers and randomness.
///
/// Tests inject threads that run one at a time, in an order derived from a seed, and a simulated clock.
package struct PipelineEnvironment: Sendable {
    /// Creates a thread pool with a name and a maximum size.
    let makeThreads: @Sendable (_ name: String, _ limit: Int) -> any BlockingThreadPool
    /// Returns the current time.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// Blocks the calling thread for a time, or until the signal is signaled.
    package var pause: @Sendable (Duration, ThreadSignal) -> Void
    /// Calls a function after a delay, on an unspecified thread, without blocking a thread during the delay.
    package var later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// Returns a random number in 0..<1.
    package var chance: @Sendable () -> Double

    /// Creates an environment.
    package init(
        makeThreads: @escaping @Sendable (_ name: String, _ limit: Int) -> any BlockingThreadPool,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        pause: @escaping @Sendable (Duration, ThreadSignal) -> Void,
        later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
        chance: @escaping @Sendable () -> Double
    ) {
        self.makeThreads = makeThreads
        self.now = now
        self.pause = pause
        self.later = later
        self.chance = chance
    }

    /// The queue of timers, which doesn't wait for other work of the program.
    private static let timers = DispatchQueue(label: "store.timers")

    /// The environment of the operating system.
    package static let system = PipelineEnvironment {
        ThreadCache(name: $0, limit: $1)
    } now: {
        .now
    } pause: {
        _ = $1.wait($0.interval)
    } later: {
        timers.asyncAfter(deadline: .now() + $0.interval, execute: $1)
    } chance: {
        .random(in: 0..<1)
    }
}

extension Duration {
    /// The same duration as a `DispatchTimeInterval`.
    var interval: DispatchTimeInterval { .nanoseconds(Int(self / .nanoseconds(1))) }
}

import Dispatch

/// What a pipeline takes from outside, and a pool of connections: threads, the time, pauses and chance.
///
/// Tests give it threads that run one at a time, in an order that a seed chooses, and a time of their own.
package struct PipelineSurroundings: Sendable {
    /// Makes what lends threads: so many at the most, called by a name.
    let makeThreads: @Sendable (_ name: String, _ limit: Int) -> any WorkThreads
    /// The present moment.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// Blocks the calling thread for a time, or until it is let go on.
    package var pause: @Sendable (Duration, ThreadSignal) -> Void
    /// Does something when a time has passed, wherever that is, without blocking a thread until then.
    package var later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// A number from 0 up to 1.
    package var chance: @Sendable () -> Double

    /// Gives it all that.
    package init(
        makeThreads: @escaping @Sendable (_ name: String, _ limit: Int) -> any WorkThreads,
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

    /// Does what is to be done later, on a thread of its own: those of Dispatch's global queue are the ones of Swift's cooperative pool on
    /// Linux, and the program's tasks may keep them all busy.
    private static let timers = DispatchQueue(label: "store.timers")

    /// The system's.
    package static let system = PipelineSurroundings {
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
    /// The same as Dispatch says it.
    var interval: DispatchTimeInterval { .nanoseconds(Int(self / .nanoseconds(1))) }
}

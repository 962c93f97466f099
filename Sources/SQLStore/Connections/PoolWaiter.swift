import ContextCore

/// A thread that waits for a connection.
///
/// State: what has come of it, guarded by a lock; a signal wakes the thread.
final class PoolWaiter: Sendable {
    enum Outcome: Sendable {
        case lent(PoolState.Lease)
        case closed, late, cancelled
    }

    /// How often a thread that heeds it looks whether its task was cancelled.
    private static let glance = Duration.milliseconds(50)

    private let state = Guarded<Outcome?>(nil)
    private let bell = ThreadSignal()

    /// What has come of waiting, if anything has yet.
    var outcome: Outcome? { state.withLock { $0 } }

    /// Ends the waiting.
    func resume(_ outcome: Outcome) {
        state.withLock { $0 = outcome }
        bell.signal()
    }

    /// Waits for an outcome, until the time is over or the task was cancelled.
    func wait(
        _ limit: Duration, heedsCancellation: Bool, _ surroundings: PipelineSurroundings
    ) -> Outcome {
        let deadline = surroundings.now() + limit
        while true {
            if let outcome { return outcome }
            if heedsCancellation && Task.isCancelled { return .cancelled }
            let left = surroundings.now().duration(to: deadline)
            if left <= .zero { return .late }
            surroundings.pause(heedsCancellation ? min(left, Self.glance) : left, bell)
        }
    }
}

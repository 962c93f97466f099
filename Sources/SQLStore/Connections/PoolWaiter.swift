import ContextCore

/// A thread that waits for a connection.
///
/// A lock guards its outcome; a signal wakes the thread.
final class PoolWaiter: Sendable {
    enum Outcome: Sendable {
        case lent(PoolState.Lease)
        case closed, timedOut, cancelled
    }

    /// The interval at which a cancellable wait checks whether its task was cancelled.
    private static let cancellationInterval = Duration.milliseconds(50)

    private let state = Guarded<Outcome?>(nil)
    private let signal = ThreadSignal()

    /// The outcome of the wait, or nil while it lasts.
    var outcome: Outcome? { state.withLock { $0 } }

    /// Ends the wait with an outcome.
    func resume(_ outcome: Outcome) {
        state.withLock { $0 = outcome }
        signal.signal()
    }

    /// Waits for an outcome, the timeout, or the cancellation of the task.
    func wait(
        atMost limit: Duration, isCancellable: Bool, in environment: PipelineEnvironment
    ) -> Outcome {
        let deadline = environment.now() + limit
        while true {
            if let outcome { return outcome }
            if isCancellable && Task.isCancelled { return .cancelled }
            let left = environment.now().duration(to: deadline)
            if left <= .zero { return .timedOut }
            environment.pause(isCancellable ? min(left, Self.cancellationInterval) : left, signal)
        }
    }
}

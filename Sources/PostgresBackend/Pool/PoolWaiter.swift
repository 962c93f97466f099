#if Postgres
import ContextCore
import Dispatch

/// A thread that waits for a connection.
///
/// State: what has come of it, guarded by a lock; a semaphore wakes the thread.
final class PoolWaiter: Sendable {
    enum Outcome: Sendable {
        case lent(PoolState.Lease)
        case closed, late, cancelled
    }

    private let state = Guarded<Outcome?>(nil)
    private let bell = DispatchSemaphore(value: 0)

    /// What has come of waiting, if anything has yet.
    var outcome: Outcome? { state.withLock { $0 } }

    /// Ends the waiting.
    func resume(_ outcome: Outcome) {
        state.withLock { $0 = outcome }
        bell.signal()
    }

    /// Waits for an outcome, until the time is over or the task was cancelled.
    func wait(_ limit: Duration, heedsCancellation: Bool) -> Outcome {
        let deadline = ContinuousClock.now + limit
        while true {
            if heedsCancellation && Task.isCancelled { return .cancelled }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return .late }
            let pause = heedsCancellation ? min(left, AnswerWatch.glance) : left
            if bell.wait(timeout: .now() + pause / .seconds(1)) == .success { return outcome ?? .late }
        }
    }
}
#endif

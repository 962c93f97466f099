import ContextCore
import Dispatch
import Synchronization

/// The result of work on another thread.
final class ThreadResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let done = ThreadSignal()

    /// Sets the result and wakes the waiting thread.
    func set(_ new: Value) {
        value.withLock { $0 = new }
        done.signal()
    }

    /// Waits for the result; returns nil after the timeout.
    func wait(_ timeout: DispatchTimeInterval) -> Value? {
        done.wait(timeout) ? value.withLock { $0 } : nil
    }
}

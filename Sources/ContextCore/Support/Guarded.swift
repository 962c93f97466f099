import Foundation

/// A value that one thread at a time may touch.
///
/// It is what `Synchronization.Mutex` is, by the same rules of the compiler; only the lock is the system's own.
// On Linux, Mutex has the kernel hand the lock to a waiting thread, which Thread Sanitizer doesn't see: it reports races where there
// are none, and would hide those that there are.
// @unchecked: the value is touched with the lock held, and nowhere else; what goes in and out is sent.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let lock = NSLock()
    // Whoever came here again would wait for the lock already.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

import Foundation

/// A value that one thread at a time may touch; copies share it.
///
/// It is what `Synchronization.Mutex` is, by the same rules of the compiler; only the lock is the system's own.
// On Linux, Mutex has the kernel hand the lock to a waiting thread, which Thread Sanitizer doesn't see: it reports races where there
// are none, and would hide those that there are.
// @unchecked: the value is touched with the lock held, and nowhere else; what goes in and out is sent.
package struct Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let storage: GuardedStorage<Value>

    package init(_ value: consuming sending Value) { storage = .make(value) }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let lock = storage.lock
        pthread_mutex_lock(lock)
        defer { unlock(lock, of: storage) }
        // nonisolated(unsafe): it leads to what the lock guards.
        nonisolated(unsafe) let value = storage.value
        return try body(&value.pointee)
    }
}

/// Unlocks a lock, and keeps what owns it alive until then: the address alone keeps nothing alive.
// Not generic: calls from other modules aren't specialized, and would look up the owner's type each time.
private func unlock(_ lock: UnsafeMutablePointer<pthread_mutex_t>, of owner: AnyObject) {
    pthread_mutex_unlock(lock)
    withExtendedLifetime(owner) {}
}

/// A lock and the value behind it in one piece of memory, as nearly every block makes some.
// Unsafe pointers: a lock may not move, which is promised of a buffer's memory, but not of a property. They are good as long as the
// buffer is there, which whoever takes them sees to. No access is checked for being exclusive: who came again would wait for the lock.
private final class GuardedStorage<Value: ~Copyable>: ManagedBuffer<pthread_mutex_t, Value> {
    static func make(_ value: consuming Value) -> GuardedStorage {
        // unsafeDowncast: that is what it creates.
        let storage = unsafeDowncast(
            create(minimumCapacity: 1) { _ in pthread_mutex_t() }, to: GuardedStorage.self)
        let status = pthread_mutex_init(storage.lock, nil)
        requirePrecondition(status == 0, "The system has no room for one more lock.")
        storage.value.initialize(to: value)
        return storage
    }

    deinit {
        value.deinitialize(count: 1)
        pthread_mutex_destroy(lock)
    }

    var lock: UnsafeMutablePointer<pthread_mutex_t> { withUnsafeMutablePointerToHeader { $0 } }
    var value: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }
}

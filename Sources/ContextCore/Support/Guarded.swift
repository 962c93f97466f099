import Foundation

/// A value that a mutex protects; copies share the value.
///
/// It has the interface and isolation rules of `Synchronization.Mutex`, with a pthread mutex as the lock.
// On Linux, Mutex uses a priority-inheritance futex, which Thread Sanitizer doesn't see: it would report false races and hide real
// ones.
// @unchecked: the value is accessed only with the lock held, and everything that enters or leaves is sending.
package struct Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let storage: GuardedStorage<Value>

    package init(_ value: consuming sending Value) { storage = .make(value) }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let lock = storage.lock
        pthread_mutex_lock(lock)
        defer { unlock(lock, of: storage) }
        // nonisolated(unsafe): the pointer is used only while the lock is held.
        nonisolated(unsafe) let value = storage.value
        return try body(&value.pointee)
    }
}

/// Unlocks a mutex and keeps its owner alive until then, which the pointer alone doesn't.
// Not generic, because calls from other modules aren't specialized and would look up the type metadata each time.
private func unlock(_ lock: UnsafeMutablePointer<pthread_mutex_t>, of owner: AnyObject) {
    pthread_mutex_unlock(lock)
    withExtendedLifetime(owner) {}
}

/// A mutex and its value in a single allocation, because almost every operation allocates several.
// Unsafe pointers: a mutex must not move, which Swift guarantees for a buffer's memory but not for a property. They are valid during
// the lifetime of the buffer, which the callers keep alive. Exclusivity isn't checked: a reentrant call deadlocks instead.
private final class GuardedStorage<Value: ~Copyable>: ManagedBuffer<pthread_mutex_t, Value> {
    static func make(_ value: consuming Value) -> GuardedStorage {
        // unsafeDowncast: `create` makes an instance of this class.
        let storage = unsafeDowncast(
            create(minimumCapacity: 1) { _ in pthread_mutex_t() }, to: GuardedStorage.self)
        let status = pthread_mutex_init(storage.lock, nil)
        requirePrecondition(status == 0, "The system can't create another mutex.")
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

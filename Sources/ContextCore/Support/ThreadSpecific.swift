import Foundation

/// An object that each thread has of its own, or has not; the thread doesn't keep it alive.
struct ThreadSpecific<Value: AnyObject>: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        requirePrecondition(status == 0, "The system has no room for one more thread-specific value.")
        self.key = key
    }

    /// The calling thread's object.
    var current: Value? {
        // takeUnretainedValue: whoever set the object keeps it alive, and takes it out again before letting it go.
        get { pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
        nonmutating set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
}

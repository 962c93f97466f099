import Foundation

/// A thread-local, unowned reference to an object.
struct ThreadLocal<Value: AnyObject>: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        requirePrecondition(status == 0, "The system can't create another key for thread-specific data.")
        self.key = key
    }

    /// The calling thread's object.
    var current: Value? {
        // takeUnretainedValue: the code that sets the object keeps it alive until it sets the reference to nil.
        get { pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
        nonmutating set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
}

extension Unmanaged {
    /// Calls a closure with the object without retaining it.
    ///
    /// The caller guarantees that another reference keeps the object alive until the closure returns.
    @inline(__always)
    package func withUnretained<Value>(_ body: (Instance) throws -> Value) rethrows -> Value {
        // The caller guarantees the object's lifetime.
        try _withUnsafeGuaranteedRef(body)
    }
}

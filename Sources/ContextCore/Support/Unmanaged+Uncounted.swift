extension Unmanaged {
    /// Looks at what a reference leads to, and counts nothing.
    ///
    /// Whoever calls it knows that somebody keeps that until the look has ended, whatever the look does.
    @inline(__always)
    package func withUncounted<Value>(_ look: (Instance) throws -> Value) rethrows -> Value {
        // As the caller promises.
        try _withUnsafeGuaranteedRef(look)
    }
}

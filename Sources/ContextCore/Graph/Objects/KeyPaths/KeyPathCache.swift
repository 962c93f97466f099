/// A cache of values that are computed for key paths, so that each key path is probed once.
final class KeyPathCache<Value: Sendable>: Sendable {
    private let known = Guarded<[Path: Value]>([:])

    /// Returns the cached value for a key path, or computes and caches it.
    func value(for keyPath: AnyKeyPath, _ find: () -> Value) -> Value {
        let path = Path(keyPath: keyPath)
        if let value = known.withLock({ $0[path] }) { return value }
        let value = find()
        known.withLock { $0[path] = value }
        return value
    }

    /// A key path as a dictionary key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

/// A cache of values that are computed for key paths, so that each key path is probed once.
final class KeyPathCache<Finding: Sendable>: Sendable {
    private let known = Guarded<[Path: Finding]>([:])

    /// Returns the cached value for a key path, or computes and caches it.
    func finding(about keyPath: AnyKeyPath, _ find: () -> Finding) -> Finding {
        let path = Path(keyPath: keyPath)
        if let finding = known.withLock({ $0[path] }) { return finding }
        let finding = find()
        known.withLock { $0[path] = finding }
        return finding
    }

    /// A key path as a dictionary key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

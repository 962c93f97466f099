/// Remembers what was found out about key paths, so that it costs one probe for each of them.
final class KeyPathCache<Finding: Sendable>: Sendable {
    private let known = Guarded<[Path: Finding]>([:])

    /// What is known about a key path, or is found out now.
    func finding(about keyPath: AnyKeyPath, _ find: () -> Finding) -> Finding {
        let path = Path(keyPath: keyPath)
        if let finding = known.withLock({ $0[path] }) { return finding }
        let finding = find()
        known.withLock { $0[path] = finding }
        return finding
    }

    /// A key path as a dictionary's key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

import Synchronization

/// Remembers the paths that key paths name, so that a predicate in a loop costs no probe each time.
enum PropertyPathCache {
    private static let known = Mutex<[Path: PropertyPath]>([:])

    /// The path that a key path names.
    static func path<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> PropertyPath {
        let key = Path(keyPath: keyPath)
        if let path = known.withLock({ $0[key] }) { return path }
        let names = KeyPathProbe.names(of: keyPath)
        precondition(
            !names.isEmpty,
            "The key path \(keyPath) reads no property of \(Root.self) that is part of the model, so no store can follow it."
        )
        let path = PropertyPath(names)
        known.withLock { $0[key] = path }
        return path
    }

    /// A key path as a dictionary's key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

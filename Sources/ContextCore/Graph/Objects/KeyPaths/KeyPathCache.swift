/// A cache of values that are computed for key paths, so that each key path is probed once.
final class KeyPathCache<Value: Sendable>: Sendable {
    private let known = Guarded(Known())

    /// Returns the cached value for a key path, or computes and caches it.
    func value(for keyPath: AnyKeyPath, _ find: () -> Value) -> Value {
        let path = Path(keyPath: keyPath)
        if let value = known.withLock({ $0.value(for: path) }) { return value }
        let value = find()
        known.withLock { $0.set(value, for: path) }
        return value
    }

    /// The values by key path, and by instance.
    ///
    /// A literal evaluates to the same instance each time, and hashing its address takes a fraction of the time of hashing the key path.
    private struct Known: Sendable {
        private var values: [Path: Value] = [:]
        private var instances: [ObjectIdentifier: Instance] = [:]

        /// A key path, which is retained so that no other one gets its address.
        private struct Instance {
            let path: Path
            let value: Value
        }

        /// The maximum number of instances; a program has one for each literal that it evaluates.
        private static var capacity: Int { 1024 }

        mutating func value(for path: Path) -> Value? {
            if let instance = instances[ObjectIdentifier(path.keyPath)] { return instance.value }
            guard let value = values[path] else { return nil }
            storeInstance(path, value)
            return value
        }

        mutating func set(_ value: Value, for path: Path) {
            values[path] = value
            storeInstance(path, value)
        }

        private mutating func storeInstance(_ path: Path, _ value: Value) {
            if instances.count >= Self.capacity { instances.removeAll(keepingCapacity: true) }
            instances[ObjectIdentifier(path.keyPath)] = Instance(path: path, value: value)
        }
    }

    /// A key path as a dictionary key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

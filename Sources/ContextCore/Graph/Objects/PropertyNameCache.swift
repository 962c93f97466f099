import Synchronization

/// Remembers which attribute a key path names, so that reading a snapshot costs no probe each time.
enum PropertyNameCache {
    private static let known = Mutex<[Path: String?]>([:])

    /// The name of the attribute that a key path reads; nil when it leads to a computed property.
    static func name<Object: ManagedObject, Value: AttributeValue>(of path: KeyPath<Object, Value>) -> String?
    {
        let key = Path(keyPath: path)
        if let name = known.withLock({ $0[key] }) { return name }
        let name = KeyPathProbe.attributeName(of: path)
        known.withLock { $0[key] = name }
        return name
    }

    /// A key path as a dictionary's key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

extension KeyPathProbe {
    /// The attribute that a key path reads, if it does nothing else.
    ///
    /// Only a property that can be set is taken for one: what others make of an attribute may not show in a placeholder.
    fileprivate static func attributeName<Object: ManagedObject, Value: AttributeValue>(
        of path: KeyPath<Object, Value>
    ) -> String? {
        guard let path = path as? ReferenceWritableKeyPath<Object, Value> else { return nil }
        let probe = KeyPathProbe()
        let value = probe.value(at: path)
        let isUntouched = value.storedValue == Value.placeholder.storedValue
        return isUntouched && probe.names.count == 1 ? probe.names.first : nil
    }
}

/// A cache of the property names of key paths, so that reading a snapshot doesn't probe the key path each time.
enum PropertyNameCache {
    private static let attributes = KeyPathCache<String?>()
    private static let relationships = KeyPathCache<String>()

    /// Returns the name of the attribute that a key path reads; nil for a computed property.
    static func attribute<Object: ManagedObject, Value: AttributeValue>(
        of path: KeyPath<Object, Value>
    ) -> String? {
        attributes.value(for: path) { KeyPathProbe.attributeName(of: path) }
    }

    /// Returns the name of the relationship that a key path reads; empty if it reads none.
    static func relationship<Object: ManagedObject>(of path: PartialKeyPath<Object>) -> String {
        relationships.value(for: path) { KeyPathProbe.names(of: path).first ?? "" }
    }
}

extension KeyPathProbe {
    /// Returns the attribute that a key path reads unchanged; nil for a computed property.
    ///
    /// Only settable properties count as attributes, because a computed property may return a placeholder unchanged. It is not probed with
    /// samples, which a computed property may not be able to handle.
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

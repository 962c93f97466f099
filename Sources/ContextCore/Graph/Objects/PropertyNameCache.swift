/// Remembers which property a key path names, so that reading a snapshot costs no probe each time.
enum PropertyNameCache {
    private static let attributes = KeyPathCache<String?>()
    private static let relationships = KeyPathCache<String>()

    /// The name of the attribute that a key path reads; nil when it leads to a computed property.
    static func attribute<Object: ManagedObject, Value: AttributeValue>(
        of path: KeyPath<Object, Value>
    ) -> String? {
        attributes.finding(about: path) { KeyPathProbe.attributeName(of: path) }
    }

    /// The name of the relationship that a key path reads; empty when it reads none.
    static func relationship<Object: ManagedObject>(of path: PartialKeyPath<Object>) -> String {
        relationships.finding(about: path) { KeyPathProbe.names(of: path).first ?? "" }
    }
}

extension KeyPathProbe {
    /// The attribute that a key path reads, if it does nothing else.
    ///
    /// Only a property that can be set is taken for one: what others make of an attribute may not show in a placeholder. It
    /// isn't tried with a sample, which a computed property need not be prepared for.
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

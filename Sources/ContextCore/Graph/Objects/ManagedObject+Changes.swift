// What has changed in an object.
extension ManagedObject {
    /// The attributes and to-one relationships that differ from what was last saved, with their values now.
    ///
    /// A relationship's value is the key of the object that it leads to.
    public final var changedValues: [String: StoredValue] {
        var values: [String: StoredValue] = [:]
        for property in changedProperties {
            values[property.name] = graph.currentRawValue(of: self, property)
        }
        return values
    }

    /// The names of all properties that differ from what was last saved, to-many relationships included.
    public final var changedPropertyNames: Set<String> { Set(changedProperties.map(\.name)) }

    private final var changedProperties: [PropertyLayout] {
        guard let overlay else { return [] }
        return entity.properties.filter { overlay.slots[$0.slot].isDirty }
    }

    /// The values that were last saved or fetched, by name; only those that are named, or all of them.
    ///
    /// An object that has never been saved has none. A fault is fired.
    public final func committedValues(_ names: Set<String>? = nil) -> [String: StoredValue] {
        guard state != .inserted, graph.ensureLoaded(self) else { return [:] }
        var values: [String: StoredValue] = [:]
        for property in entity.properties
        where !property.columns.isEmpty && names?.contains(property.name) != false {
            values[property.name] = graph.committedRawValue(of: self, property)
        }
        return values
    }

    /// Checks one property as a save would, whether or not it has changed; a fault is fired.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/validation`` and all rules that the property breaks.
    public final func validate(_ name: String) throws {
        let property = try property(named: name)
        try graph.load(self)
        let failures = PropertyCheck(graph: graph).failures(of: self, property)
        try graph.throwDeferredError()
        if !failures.isEmpty { throw StoreError(breaking: failures) }
    }
}

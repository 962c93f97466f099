// The changes of an object.
extension ManagedObject {
    /// The attributes and to-one relationships with unsaved changes, with their current values.
    ///
    /// The value of a relationship is the key of its target.
    public final var changedValues: [String: StoredValue] {
        var values: [String: StoredValue] = [:]
        for property in changedProperties {
            values[property.name] = graph.currentRawValue(of: self, property)
        }
        return values
    }

    /// The names of all properties with unsaved changes, including to-many relationships.
    public final var changedPropertyNames: Set<String> { Set(changedProperties.map(\.name)) }

    /// Whether the next save would write or delete the object; changes of transient attributes don't count.
    final var hasChangesToSave: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: changedProperties.contains { $0.attribute == nil || !$0.columns.isEmpty }
        case .unchanged, .detached: false
        }
    }

    private final var changedProperties: [PropertyLayout] {
        guard let overlay else { return [] }
        return entity.properties.filter { overlay.slots[$0.slot].isDirty }
    }

    /// Returns the values that were last saved or fetched, by name.
    ///
    /// The dictionary is empty for an object that has never been saved. The method loads a fault.
    ///
    /// - Parameter names: The names of the properties to include; nil for all.
    public final func committedValues(_ names: Set<String>? = nil) -> [String: StoredValue] {
        guard state != .inserted, graph.ensureLoaded(self) else { return [:] }
        var values: [String: StoredValue] = [:]
        for property in entity.properties
        where !property.columns.isEmpty && names?.contains(property.name) != false {
            values[property.name] = graph.committedRawValue(of: self, property)
        }
        return values
    }

    /// Validates one property as a save would, even if it hasn't changed, and loads a fault.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/validation`` and all rules that the property violates.
    public final func validate(_ name: String) throws {
        let property = try property(named: name)
        try graph.load(self)
        let failures = PropertyCheck(graph: graph).failures(of: self, property)
        try graph.throwDeferredError()
        if !failures.isEmpty { throw StoreError(breaking: failures) }
    }
}

/// An attribute that is declared without a class; its methods add options.
///
/// ```swift
/// Attribute("title", .string).unique().length(1...80)
/// ```
public struct DeclaredAttribute: Sendable {
    var attribute: AttributeDescription
    private var options: [AttributeOption] = []

    init(_ attribute: AttributeDescription) {
        self.attribute = attribute
    }

    var property: PropertyDescription { PropertyDescription(attribute, options) }

    private func changing(_ change: (inout DeclaredAttribute) -> Void) -> DeclaredAttribute {
        var changed = self
        change(&changed)
        return changed
    }

    private func adding(_ option: AttributeOption) -> DeclaredAttribute {
        changing { declared in
            option.apply(&declared.attribute)
            if option.isUnique || option.isIndexed { declared.options.append(option) }
        }
    }
}

// MARK: Values

extension DeclaredAttribute {
    /// Allows the value to be nil.
    public func optional() -> DeclaredAttribute {
        changing { $0.attribute.isOptional = true }
    }

    /// Sets the value in new objects: a literal, `.constant(level)`, `.now` or `.newUUID`.
    public func `default`(_ value: AttributeDefault) -> DeclaredAttribute {
        changing { $0.attribute.defaultValue = value }
    }

    /// Makes the attribute transient: tracked and undoable, but never saved.
    public func transient() -> DeclaredAttribute {
        changing { $0.attribute.storage = .transient }
    }

    /// Makes the attribute derived: the store computes it on every save.
    public func derived(_ derivation: Derivation) -> DeclaredAttribute {
        changing { $0.attribute.storage = .derived(derivation) }
    }

    /// Names the transformer between the property's value and the stored value.
    public func transformed(by name: String) -> DeclaredAttribute {
        changing { $0.attribute.transformerName = name }
    }

    /// Stores values of at least the given number of bytes outside of their row: ``AttributeOption/externalStorage(over:)``.
    public func externalStorage(over threshold: Int = 65_536) -> DeclaredAttribute {
        adding(.externalStorage(over: threshold))
    }
}

// MARK: Rules

extension DeclaredAttribute {
    /// Requires the value to be unique among the entity's objects.
    public func unique() -> DeclaredAttribute { adding(.unique) }

    /// Adds an index on the attribute.
    public func indexed() -> DeclaredAttribute { adding(.indexed) }

    /// Requires the value to be within the bounds when it is saved.
    public func range<Bound: AttributeValue>(_ bounds: ClosedRange<Bound>) -> DeclaredAttribute {
        adding(.range(bounds))
    }

    /// Requires the value to be at least the lower bound when it is saved.
    public func range<Bound: AttributeValue>(_ bounds: PartialRangeFrom<Bound>) -> DeclaredAttribute {
        adding(.range(bounds))
    }

    /// Requires the value to be at most the upper bound when it is saved.
    public func range<Bound: AttributeValue>(_ bounds: PartialRangeThrough<Bound>) -> DeclaredAttribute {
        adding(.range(bounds))
    }

    /// Requires the number of characters of a text, or of bytes of data, to be within the bounds when it is saved.
    public func length(_ bounds: ClosedRange<Int>) -> DeclaredAttribute { adding(.length(bounds)) }

    /// Requires text to have at least the given number of characters, or data that number of bytes, when it is saved.
    public func length(_ bounds: PartialRangeFrom<Int>) -> DeclaredAttribute { adding(.length(bounds)) }

    /// Requires text to have at most the given number of characters, or data that number of bytes, when it is saved.
    public func length(_ bounds: PartialRangeThrough<Int>) -> DeclaredAttribute { adding(.length(bounds)) }

    /// Requires a regular expression to match the whole text when it is saved.
    public func pattern(_ pattern: String) -> DeclaredAttribute { adding(.pattern(pattern)) }
}

// MARK: Versions

extension DeclaredAttribute {
    /// Declares the name that the attribute had in an earlier version of the model.
    public func renamed(from name: String) -> DeclaredAttribute { adding(.renamed(from: name)) }

    /// Hashes a text into the fingerprint, to indicate a change that the model itself doesn't show.
    public func hashModifier(_ text: String) -> DeclaredAttribute { adding(.hashModifier(text)) }

    /// Keeps the value in the history when its object is deleted.
    public func preservedOnDeletion() -> DeclaredAttribute { adding(.preserveValueOnDeletion) }
}

/// An attribute that is declared without a class; what its type doesn't say is added word by word.
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
    /// Lets the attribute have no value.
    public func optional() -> DeclaredAttribute {
        changing { $0.attribute.isOptional = true }
    }

    /// Begins with a value: a literal, `.constant(level)`, `.now` or `.newUUID`.
    public func `default`(_ value: AttributeDefault) -> DeclaredAttribute {
        changing { $0.attribute.defaultValue = value }
    }

    /// Keeps the attribute in the object alone: tracked and undone like others, never stored.
    public func transient() -> DeclaredAttribute {
        changing { $0.attribute.storage = .transient }
    }

    /// Lets the store work the attribute out on every save.
    public func derived(_ derivation: Derivation) -> DeclaredAttribute {
        changing { $0.attribute.storage = .derived(derivation) }
    }

    /// Names the transformer that stands between the property and what is stored.
    public func transformed(by name: String) -> DeclaredAttribute {
        changing { $0.attribute.transformerName = name }
    }

    /// Keeps values with at least so many bytes outside of their row: ``AttributeOption/externalStorage(over:)``.
    public func externalStorage(over threshold: Int = 65_536) -> DeclaredAttribute {
        adding(.externalStorage(over: threshold))
    }
}

// MARK: Rules

extension DeclaredAttribute {
    /// Lets no two objects share the attribute's value.
    public func unique() -> DeclaredAttribute { adding(.unique) }

    /// Gives the attribute an index of its own.
    public func indexed() -> DeclaredAttribute { adding(.indexed) }

    /// Lets only values within bounds be saved.
    public func range<Bound: AttributeValue>(_ bounds: ClosedRange<Bound>) -> DeclaredAttribute {
        adding(.range(bounds))
    }

    /// Lets only values no less than a bound be saved.
    public func range<Bound: AttributeValue>(_ bounds: PartialRangeFrom<Bound>) -> DeclaredAttribute {
        adding(.range(bounds))
    }

    /// Lets only values no greater than a bound be saved.
    public func range<Bound: AttributeValue>(_ bounds: PartialRangeThrough<Bound>) -> DeclaredAttribute {
        adding(.range(bounds))
    }

    /// Lets only text with so many characters, or data with so many bytes, be saved.
    public func length(_ bounds: ClosedRange<Int>) -> DeclaredAttribute { adding(.length(bounds)) }

    /// Lets only text with at least so many characters, or data with so many bytes, be saved.
    public func length(_ bounds: PartialRangeFrom<Int>) -> DeclaredAttribute { adding(.length(bounds)) }

    /// Lets only text with at most so many characters, or data with so many bytes, be saved.
    public func length(_ bounds: PartialRangeThrough<Int>) -> DeclaredAttribute { adding(.length(bounds)) }

    /// Lets only text be saved that matches a regular expression from its beginning to its end.
    public func pattern(_ pattern: String) -> DeclaredAttribute { adding(.pattern(pattern)) }
}

// MARK: Versions

extension DeclaredAttribute {
    /// Names the attribute's name in an earlier version of the model.
    public func renamed(from name: String) -> DeclaredAttribute { adding(.renamed(from: name)) }

    /// Changes the fingerprint where nothing else does.
    public func hashModifier(_ text: String) -> DeclaredAttribute { adding(.hashModifier(text)) }

    /// Keeps the value in the history when its object is deleted.
    public func preservedOnDeletion() -> DeclaredAttribute { adding(.preserveValueOnDeletion) }
}

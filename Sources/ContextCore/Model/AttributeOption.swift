/// An option of an attribute: `@Attribute(.unique, .length(1...40))`.
public struct AttributeOption: Sendable {
    let isUnique: Bool
    let isIndexed: Bool
    let apply: @Sendable (inout AttributeDescription) -> Void

    private init(
        isUnique: Bool = false, isIndexed: Bool = false,
        apply: @escaping @Sendable (inout AttributeDescription) -> Void = { _ in }
    ) {
        self.isUnique = isUnique
        self.isIndexed = isIndexed
        self.apply = apply
    }
}

extension AttributeOption {
    /// Requires the value to be unique among the entity's objects.
    public static let unique = AttributeOption(isUnique: true)

    /// Adds an index on the attribute.
    public static let indexed = AttributeOption(isIndexed: true)

    /// Stores the property, whose type need only be `Codable`, as JSON.
    ///
    /// `@Attribute` reads this option. In a description written by hand, use
    /// ``PropertyDescription/codable(_:_:default:_:)-(_,Value.Type,_,_)`` instead.
    public static let codable = AttributeOption { attribute in
        requirePrecondition(
            attribute.type == .codable,
            "The option .codable can't be applied to “\(attribute.name)”: describe the attribute with PropertyDescription.codable."
        )
    }

    /// Keeps the value in the history when its object is deleted.
    public static let preserveValueOnDeletion = AttributeOption { $0.preservesValueOnDeletion = true }

    /// Stores values of at least the given number of bytes outside of their row, in a separate table.
    ///
    /// Such values are saved, changed and deleted in the transaction of their object. A fetch doesn't load them: a value is loaded when the
    /// property is read, or with the objects if the request's `prefetching` names the property. See <doc:storing-large-values>.
    ///
    /// An attribute with this option is text, data or a codable value. It can be compared with nil only, can't be a sort key, and has
    /// no index and no unique constraint. Adding or removing the option requires a migration, which moves the values. A changed
    /// threshold applies to values that are saved from then on.
    public static func externalStorage(over threshold: Int = 65_536) -> AttributeOption {
        AttributeOption { $0.externalThreshold = threshold }
    }

    /// Stores the output of a transformer.
    ///
    /// `@Attribute` reads this option. In a description written by hand, use
    /// ``PropertyDescription/transformed(_:_:by:_:)-(_,Transformer.Value.Type,_,_)`` instead.
    public static func transformable<Transformer: AttributeTransformer>(
        by transformer: Transformer.Type
    ) -> AttributeOption {
        AttributeOption { attribute in
            requirePrecondition(
                attribute.transformerName == Transformer.name,
                "The option .transformable can't be applied to “\(attribute.name)”: describe it with PropertyDescription.transformed."
            )
        }
    }

    /// Sets the total number of digits of a decimal number, and how many of them are fractional.
    public static func decimal(precision: Int, scale: Int) -> AttributeOption {
        AttributeOption { attribute in
            guard case .decimal = attribute.type else {
                attribute.contradiction = .precisionOfNonDecimal
                return
            }
            attribute.type = .decimal(precision: precision, scale: scale)
        }
    }

    /// Declares the name that the attribute had in an earlier version of the model.
    public static func renamed(from name: String) -> AttributeOption {
        AttributeOption { $0.renamingIdentifier = name }
    }

    /// Hashes a text into the fingerprint, to indicate a change that the model itself doesn't show.
    public static func hashModifier(_ text: String) -> AttributeOption {
        AttributeOption { $0.versionHashModifier = text }
    }
}

extension AttributeOption {
    /// Requires the value to be within the bounds when it is saved.
    public static func range<Bound: AttributeValue>(_ bounds: ClosedRange<Bound>) -> AttributeOption {
        rule(minimum: bounds.lowerBound.storedValue, maximum: bounds.upperBound.storedValue)
    }

    /// Requires the value to be at least the lower bound when it is saved.
    public static func range<Bound: AttributeValue>(_ bounds: PartialRangeFrom<Bound>) -> AttributeOption {
        rule(minimum: bounds.lowerBound.storedValue, maximum: nil)
    }

    /// Requires the value to be at most the upper bound when it is saved.
    public static func range<Bound: AttributeValue>(_ bounds: PartialRangeThrough<Bound>) -> AttributeOption {
        rule(minimum: nil, maximum: bounds.upperBound.storedValue)
    }

    /// Requires the number of characters of a text, or of bytes of data, to be within the bounds when it is saved.
    public static func length(_ bounds: ClosedRange<Int>) -> AttributeOption {
        rule(.length(minimum: bounds.lowerBound, maximum: bounds.upperBound))
    }

    /// Requires text to have at least the given number of characters, or data that number of bytes, when it is saved.
    public static func length(_ bounds: PartialRangeFrom<Int>) -> AttributeOption {
        rule(.length(minimum: bounds.lowerBound, maximum: nil))
    }

    /// Requires text to have at most the given number of characters, or data that number of bytes, when it is saved.
    public static func length(_ bounds: PartialRangeThrough<Int>) -> AttributeOption {
        rule(.length(minimum: nil, maximum: bounds.upperBound))
    }

    /// Requires a regular expression to match the whole text when it is saved.
    public static func pattern(_ pattern: String) -> AttributeOption {
        rule(.pattern(pattern))
    }

    private static func rule(_ rule: ValidationRule) -> AttributeOption {
        AttributeOption { $0.rules.append(rule) }
    }

    /// Converts the bounds to the attribute's type: they are often integer literals where the attribute is another kind of number.
    private static func rule(minimum: StoredValue?, maximum: StoredValue?) -> AttributeOption {
        AttributeOption { attribute in
            let type = attribute.type
            attribute.rules.append(
                .range(
                    minimum: minimum.map { $0.widened(to: type) },
                    maximum: maximum.map { $0.widened(to: type) }
                ))
        }
    }
}

/// Says more about an attribute than its type does: `@Attribute(.unique, .length(1...40))`.
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
    /// Lets no two objects share the attribute's value.
    public static let unique = AttributeOption(isUnique: true)

    /// Gives the attribute an index of its own.
    public static let indexed = AttributeOption(isIndexed: true)

    /// Stores the property as JSON; its type need only be `Codable`.
    ///
    /// Read by `@Attribute`. Where a description is written by hand, ``PropertyDescription/codable(_:_:default:_:)-(_,Value.Type,_,_)`` says it.
    public static let codable = AttributeOption { attribute in
        requirePrecondition(
            attribute.type == .codable,
            "“\(attribute.name)” can't be made codable by an option: describe it by PropertyDescription.codable."
        )
    }

    /// Keeps the value in the history when its object is deleted.
    public static let preserveValueOnDeletion = AttributeOption { $0.preservesValueOnDeletion = true }

    /// Keeps values with at least so many bytes outside of their row, in a table of their own.
    ///
    /// They are saved, changed and deleted in the transaction of their object. A fetch leaves them there: a value is loaded when the
    /// property is read, or along with the objects if the request's `prefetching` names the property. <doc:defining-a-model> says more.
    ///
    /// An attribute with this option is text, data or a codable value. It can be compared with nil only, can't be ordered by, and has
    /// no index and no unique constraint. To add or to remove the option is a migration, which moves the values; a changed size
    /// holds for values that are saved from then on.
    public static func externalStorage(over threshold: Int = 65_536) -> AttributeOption {
        AttributeOption { $0.externalThreshold = threshold }
    }

    /// Stores what a transformer makes of the value.
    ///
    /// Read by `@Attribute`. Where a description is written by hand, ``PropertyDescription/transformed(_:_:by:_:)-(_,Transformer.Value.Type,_,_)`` says it.
    public static func transformable<Transformer: AttributeTransformer>(
        by transformer: Transformer.Type
    ) -> AttributeOption {
        AttributeOption { attribute in
            requirePrecondition(
                attribute.transformerName == Transformer.name,
                "“\(attribute.name)” can't be transformed by an option: describe it by PropertyDescription.transformed."
            )
        }
    }

    /// Gives a decimal number so many digits in all, so many of them behind the point.
    public static func decimal(precision: Int, scale: Int) -> AttributeOption {
        AttributeOption { attribute in
            guard case .decimal = attribute.type else {
                attribute.contradiction = .digitsOfNoDecimal
                return
            }
            attribute.type = .decimal(precision: precision, scale: scale)
        }
    }

    /// Names the attribute's name in an earlier version of the model.
    public static func renamed(from name: String) -> AttributeOption {
        AttributeOption { $0.renamingIdentifier = name }
    }

    /// Changes the fingerprint where nothing else does.
    public static func hashModifier(_ text: String) -> AttributeOption {
        AttributeOption { $0.versionHashModifier = text }
    }
}

extension AttributeOption {
    /// Lets only values within bounds be saved.
    public static func range<Bound: AttributeValue>(_ bounds: ClosedRange<Bound>) -> AttributeOption {
        rule(minimum: bounds.lowerBound.storedValue, maximum: bounds.upperBound.storedValue)
    }

    /// Lets only values no less than a bound be saved.
    public static func range<Bound: AttributeValue>(_ bounds: PartialRangeFrom<Bound>) -> AttributeOption {
        rule(minimum: bounds.lowerBound.storedValue, maximum: nil)
    }

    /// Lets only values no greater than a bound be saved.
    public static func range<Bound: AttributeValue>(_ bounds: PartialRangeThrough<Bound>) -> AttributeOption {
        rule(minimum: nil, maximum: bounds.upperBound.storedValue)
    }

    /// Lets only text with so many characters, or data with so many bytes, be saved.
    public static func length(_ bounds: ClosedRange<Int>) -> AttributeOption {
        rule(.length(minimum: bounds.lowerBound, maximum: bounds.upperBound))
    }

    /// Lets only text with at least so many characters, or data with so many bytes, be saved.
    public static func length(_ bounds: PartialRangeFrom<Int>) -> AttributeOption {
        rule(.length(minimum: bounds.lowerBound, maximum: nil))
    }

    /// Lets only text with at most so many characters, or data with so many bytes, be saved.
    public static func length(_ bounds: PartialRangeThrough<Int>) -> AttributeOption {
        rule(.length(minimum: nil, maximum: bounds.upperBound))
    }

    /// Lets only text be saved that matches a regular expression from its beginning to its end.
    public static func pattern(_ pattern: String) -> AttributeOption {
        rule(.pattern(pattern))
    }

    private static func rule(_ rule: ValidationRule) -> AttributeOption {
        AttributeOption { $0.rules.append(rule) }
    }

    /// Bounds are often written as whole numbers where the attribute is of another kind of number.
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

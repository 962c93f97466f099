/// A description of one attribute of an entity.
public struct AttributeDescription: Sendable, Hashable {
    /// The property's name.
    public var name: String
    /// The type of the stored value.
    public var type: AttributeType
    /// Whether the value may be nil.
    public var isOptional: Bool
    /// The value of the attribute in a new object.
    public var defaultValue: AttributeDefault?
    /// Whether the value is stored, transient or derived.
    public var storage: AttributeStorage
    /// The rules that a value must satisfy to be saved.
    public var rules: [ValidationRule]
    /// The name of the transformer between the property's value and the stored value, if any.
    public var transformerName: String?
    /// The minimum size in bytes of values that are stored outside of their row: ``AttributeOption/externalStorage(over:)``.
    public var externalThreshold: Int?
    /// The name that the attribute had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that is hashed into the fingerprint, to indicate a change that the model itself doesn't show.
    public var versionHashModifier: String?
    /// Whether the history keeps the value when the object is deleted.
    public var preservesValueOnDeletion: Bool
    /// A contradiction between the property's type and options, which a model reports.
    var contradiction: Contradiction?

    /// Creates a description.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = false,
        default defaultValue: AttributeDefault? = nil,
        storage: AttributeStorage = .stored, rules: [ValidationRule] = [], transformerName: String? = nil,
        externalThreshold: Int? = nil, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
        preservesValueOnDeletion: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.storage = storage
        self.rules = rules
        self.transformerName = transformerName
        self.externalThreshold = externalThreshold
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.preservesValueOnDeletion = preservesValueOnDeletion
    }
}

extension AttributeDescription {
    /// A mistake that only the property's Swift type shows, not the attribute's description.
    enum Contradiction: Sendable, Hashable {
        /// The attribute has no default, and the named `Codable` type has no placeholder value for an object without a row.
        case noPlaceholder(type: String)
        /// The option ``AttributeOption/decimal(precision:scale:)`` is set, but the attribute isn't a decimal number.
        case precisionOfNonDecimal
    }
}

/// The value of an attribute in a new object.
public enum AttributeDefault: Sendable, Hashable {
    /// The same value for every object.
    case value(StoredValue)
    /// The time of insertion.
    case now
    /// A new UUID for each object.
    case newUUID
}

/// Where the value of an attribute is stored.
public enum AttributeStorage: Sendable, Hashable {
    /// In the store.
    case stored
    /// In the object only: tracked and undoable, but never saved.
    case transient
    /// In the store, which computes it on every save.
    case derived(Derivation)
}

/// How a derived attribute is computed.
public enum Derivation: Sendable, Hashable {
    /// The lower-case form of a text attribute of the same object, or of an object at the end of a chain of to-one relationships.
    case lowercased(path: String)
    /// A text attribute with case and diacritics removed.
    case canonical(path: String)
    /// A copy of an attribute at the end of a chain of to-one relationships.
    case copy(path: String)
    /// The number of objects in a to-many relationship.
    case count(relationship: String)
    /// The sum of an attribute over the objects of a to-many relationship.
    case sum(relationship: String, attribute: String)
    /// The minimum of an attribute over the objects of a to-many relationship.
    case minimum(relationship: String, attribute: String)
    /// The maximum of an attribute over the objects of a to-many relationship.
    case maximum(relationship: String, attribute: String)
    /// The time of the object's last save.
    case now

    /// The to-many relationship that the derivation aggregates, if any.
    package var relationshipName: String? {
        switch self {
        case .count(let relationship), .sum(let relationship, _), .minimum(let relationship, _),
            .maximum(let relationship, _):
            relationship
        case .lowercased, .canonical, .copy, .now: nil
        }
    }

    /// The path to the attribute that the derivation copies, if any.
    var path: String? {
        switch self {
        case .lowercased(let path), .canonical(let path), .copy(let path): path
        case .count, .sum, .minimum, .maximum, .now: nil
        }
    }

    /// Whether the value depends on other objects.
    package var readsRelationships: Bool {
        switch self {
        case .count, .sum, .minimum, .maximum: true
        case .lowercased(let path), .canonical(let path), .copy(let path): path.contains(".")
        case .now: false
        }
    }

    /// The aggregated attribute of the relationship's objects, if any.
    var attributeName: String? {
        switch self {
        case .sum(_, let attribute), .minimum(_, let attribute), .maximum(_, let attribute): attribute
        case .lowercased, .canonical, .copy, .count, .now: nil
        }
    }
}

/// A rule that an attribute's value must satisfy to be saved.
public enum ValidationRule: Sendable, Hashable {
    /// A number or date within inclusive bounds.
    case range(minimum: StoredValue?, maximum: StoredValue?)
    /// Text whose number of characters, or data whose number of bytes, is within inclusive bounds.
    case length(minimum: Int?, maximum: Int?)
    /// Text that a regular expression matches from beginning to end.
    case pattern(String)
}

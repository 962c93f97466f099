/// Describes one attribute of an entity.
public struct AttributeDescription: Sendable, Hashable {
    /// The property's name.
    public var name: String
    /// What is stored.
    public var type: AttributeType
    /// Whether the attribute may have no value.
    public var isOptional: Bool
    /// The value that a new object begins with.
    public var defaultValue: AttributeDefault?
    /// Whether the value is stored, only tracked, or worked out by the store.
    public var storage: AttributeStorage
    /// Rules that a value must keep to be saved.
    public var rules: [ValidationRule]
    /// The name of the value transformer that stands between property and store, if any.
    public var transformerName: String?
    /// Values with at least so many bytes are kept outside of their row: ``AttributeOption/externalStorage(over:)``.
    public var externalThreshold: Int?
    /// The name that the attribute had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Text that changes the fingerprint where nothing else does.
    public var versionHashModifier: String?
    /// Whether the value is kept in the history when its object is deleted.
    public var preservesValueOnDeletion: Bool
    /// What a property's type and options say that can't be; a model refuses it.
    var contradiction: Contradiction?

    /// Describes an attribute.
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
    /// What only a property's Swift type tells of an attribute that can't work.
    enum Contradiction: Sendable, Hashable {
        /// Nothing can be answered in the place of a value kept as JSON, of the type named, and there is no default.
        case noPlaceholder(type: String)
        /// A number of digits for what is no decimal number.
        case digitsOfNoDecimal
    }
}

/// Says what a new object's attribute begins with.
public enum AttributeDefault: Sendable, Hashable {
    /// The same value for every object.
    case value(StoredValue)
    /// The moment of insertion.
    case now
    /// A UUID that no other object has.
    case newUUID
}

/// Says where an attribute's value lives.
public enum AttributeStorage: Sendable, Hashable {
    /// In the store.
    case stored
    /// In the object only: tracked and undone like others, never stored.
    case transient
    /// In the store, worked out on every save.
    case derived(Derivation)
}

/// Says how a derived attribute is worked out.
public enum Derivation: Sendable, Hashable {
    /// The lower-case form of a text attribute of the same object, or of one that a to-one chain leads to.
    case lowercased(path: String)
    /// The form of a text attribute that ignores case and diacritics.
    case canonical(path: String)
    /// A copy of an attribute that a to-one chain leads to.
    case copy(path: String)
    /// How many objects a to-many relationship holds.
    case count(relationship: String)
    /// The sum of an attribute over a to-many relationship.
    case sum(relationship: String, attribute: String)
    /// The least value of an attribute over a to-many relationship.
    case minimum(relationship: String, attribute: String)
    /// The greatest value of an attribute over a to-many relationship.
    case maximum(relationship: String, attribute: String)
    /// The moment of the object's last save.
    case now

    /// The to-many relationship that is counted or looked through, if one is.
    package var relationshipName: String? {
        switch self {
        case .count(let relationship), .sum(let relationship, _), .minimum(let relationship, _),
            .maximum(let relationship, _):
            relationship
        case .lowercased, .canonical, .copy, .now: nil
        }
    }

    /// The way to the attribute that is copied, if one is.
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

    /// The attribute of the relationship's objects that is looked at, if one is.
    var attributeName: String? {
        switch self {
        case .sum(_, let attribute), .minimum(_, let attribute), .maximum(_, let attribute): attribute
        case .lowercased, .canonical, .copy, .count, .now: nil
        }
    }
}

/// A rule that an attribute's value must keep to be saved.
public enum ValidationRule: Sendable, Hashable {
    /// A number or moment no less than, and no greater than, the bounds.
    case range(minimum: StoredValue?, maximum: StoredValue?)
    /// Text with so many characters, or data with so many bytes.
    case length(minimum: Int?, maximum: Int?)
    /// Text that matches a regular expression from its beginning to its end.
    case pattern(String)
}

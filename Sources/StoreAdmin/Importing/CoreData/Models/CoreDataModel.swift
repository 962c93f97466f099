/// A model of Core Data or SwiftData, independent of the kind of file that it was read from.
struct CoreDataModel: Sendable, Equatable {
    /// The entities, sorted by the bytes of their names.
    var entities: [Entity]
    /// The names of the configurations, each with its entities.
    var configurations: [String: [String]] = [:]
    /// The names of the fetch request templates.
    var fetchRequests: [String] = []

    /// An entity, with the properties that it declares itself.
    struct Entity: Sendable, Equatable {
        var name: String
        var superentity: String?
        var isAbstract = false
        var attributes: [Attribute] = []
        var relationships: [Relationship] = []
        /// The names of the fetched properties.
        var fetchedProperties: [String] = []
        var uniqueConstraints: [[String]] = []
        var indexes: [Index] = []
        /// The name in an earlier version of the model; nil if it is the same.
        var renamingIdentifier: String?
        var versionHashModifier: String?
        /// Whether the entity or one of its properties has entries for programs.
        var hasUserInfo = false
    }

    /// An index of an entity.
    struct Index: Sendable, Equatable {
        var name: String
        var elements: [Element]
        /// Whether it has a predicate, an expression or another kind than a binary tree.
        var isSpecial = false

        struct Element: Sendable, Equatable {
            var property: String
            var isDescending = false
        }
    }

    /// An attribute of an entity, or a part of a composite attribute.
    struct Attribute: Sendable, Equatable {
        var name: String
        var type: AttributeType
        var isOptional = false
        var isTransient = false
        var defaultValue: DefaultValue?
        /// The expression of a derived attribute, as a data model writes it: `items.@count`.
        var derivation: String?
        /// The attributes of a composite.
        var parts: [Attribute] = []
        var valueTransformer: String?
        /// Whether large values may be in files beside the store.
        var allowsExternalStorage = false
        var preservesValueOnDeletion = false
        var minimum: Double?
        var maximum: Double?
        var pattern: String?
        /// Whether it has validation predicates that ``minimum``, ``maximum`` and ``pattern`` don't express.
        var hasOtherRules = false
        var renamingIdentifier: String?
        var versionHashModifier: String?
    }

    /// The type of an attribute; the raw value is that of `NSAttributeType`.
    enum AttributeType: Int, Sendable, CaseIterable {
        case undefined = 0
        case int16 = 100
        case int32 = 200
        case int64 = 300
        case decimal = 400
        case double = 500
        case float = 600
        case string = 700
        case bool = 800
        case date = 900
        case data = 1000
        case uuid = 1100
        case uri = 1200
        case transformable = 1800
        case objectID = 2000
        case composite = 2100
    }

    /// The default of an attribute.
    enum DefaultValue: Sendable, Equatable {
        case number(Double)
        case text(String)
        /// Seconds since the beginning of 2001.
        case date(Double)
        /// A value that only the program can create.
        case other
    }

    struct Relationship: Sendable, Equatable {
        var name: String
        var destination: String
        var inverse: String?
        var isToMany = false
        var isOrdered = false
        var isOptional = false
        var isTransient = false
        var deleteRule = DeleteRule.nullify
        /// The minimum number of objects of a to-many relationship; 0 if there is none.
        var minimumCount = 0
        /// The maximum number of objects of a to-many relationship; 0 if there is none.
        var maximumCount = 0
        var renamingIdentifier: String?
        var versionHashModifier: String?
    }

    /// A delete rule; the raw value is that of `NSDeleteRule`.
    enum DeleteRule: Int, Sendable {
        case noAction, nullify, cascade, deny
    }
}

extension CoreDataModel {
    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// The maximum number of entities.
    private static let maxCount = 2000
    /// The maximum number of superentities of an entity.
    private static let maxDepth = 32

    /// Returns an entity's name and those of its superentities, the nearest first.
    func lineage(of name: String) -> [String] {
        var names: [String] = []
        var next: String? = name
        while let current = next, names.count <= Self.maxDepth, let entity = entity(named: current) {
            names.append(current)
            next = entity.superentity
        }
        return names
    }

    /// Returns the names of the entities of an entity's inheritance tree, in the order in which Core Data numbers them: by name, each
    /// entity before its subentities.
    func tree(ofRoot root: String) -> [String] {
        [root]
            + entities.filter { $0.superentity == root && $0.name != root }.flatMap { tree(ofRoot: $0.name) }
    }

    /// The names of the entities without a superentity.
    var roots: [String] { entities.filter { $0.superentity == nil }.map(\.name) }

    /// Throws if an entity's superentity or a relationship's destination is missing, or if entities inherit from each other in a cycle.
    func check() throws(FormatError) {
        guard entities.count <= Self.maxCount else { throw FormatError("the model has too many entities") }
        let names = Set(entities.map(\.name))
        guard names.count == entities.count else {
            throw FormatError("the model has two entities of one name")
        }
        for entity in entities {
            let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            guard Set(properties).count == properties.count else {
                throw FormatError("the entity \(entity.name) has two properties of one name")
            }
            if let superentity = entity.superentity, !names.contains(superentity) {
                throw FormatError("the superentity \(superentity) of \(entity.name) is not in the model")
            }
            guard let last = lineage(of: entity.name).last, self.entity(named: last)?.superentity == nil
            else {
                throw FormatError(
                    "the entity \(entity.name) inherits from itself, or has more than \(Self.maxDepth) superentities"
                )
            }
            for relationship in entity.relationships where !names.contains(relationship.destination) {
                throw FormatError(
                    "the destination of \(entity.name).\(relationship.name) is not in the model: \(relationship.destination)"
                )
            }
        }
    }
}

/// Limits the number of entities, properties and rules of a model, since a few bytes of a damaged file may describe many.
struct ModelBudget {
    private var left = 50_000

    /// Throws if the limit is reached.
    mutating func spend() throws(FormatError) {
        left -= 1
        if left < 0 { throw FormatError("the model has too many entities and properties") }
    }
}

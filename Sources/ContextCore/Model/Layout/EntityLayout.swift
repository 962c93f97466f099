/// An entity with everything that follows from the whole model: inherited properties, slots and columns.
///
/// Properties stand in *slots*: those of the superentity first, then the entity's own sorted by the bytes of their names. So a
/// property has the same slot in every subentity, and the same slot whichever way the model was made.
public final class EntityLayout: Sendable {
    /// What was declared, with parts sorted by the bytes of their names and every inverse filled in.
    public let description: EntityDescription
    /// Where the entity stands among the model's entities, which are sorted by the bytes of their names.
    public let index: Int
    /// The entity that it inherits from.
    public let superentityIndex: Int?
    /// The uppermost entity of its inheritance tree.
    ///
    /// A tree shares one key space and, in SQL, one table.
    public let rootIndex: Int
    /// This entity and all that inherit from it, in the order of the model.
    public let familyIndices: [Int]
    /// All properties, inherited ones included, by slot.
    public let properties: [PropertyLayout]
    /// All columns of a row, in the order of the slots.
    public let columns: [ColumnLayout]
    /// What must be unique, inherited constraints included.
    public let uniqueConstraints: [UniqueColumns]
    /// What indexes and unique constraints there are over texts and data, inherited ones included.
    let indexedColumns: [IndexedColumns]
    /// Where each column's field begins in a packed row.
    package let fields: RowFields
    /// Where each slot's first column lies in a packed row.
    package let places: [SlotPlace]
    /// The class of the entity's objects.
    package let objectClass: ManagedObject.Type
    /// The attributes that a new object begins with a value of.
    package let defaults: [(slot: Int, initial: AttributeDefault)]
    /// The attributes that a save works out.
    package let derivations: [(slot: Int, derivation: Derivation)]
    /// The columns of those attributes.
    let derivedColumns: [Int]
    /// Whether a derived attribute copies what another object has.
    let copiesFromOthers: Bool
    /// The relationships by which an object is in one that others derive an attribute over.
    package let contributions: [Int]
    /// Whether the program's own class, or one that it inherits from, may override a hook of saves or of deletions.
    let mayHearOfSaves: Bool
    /// The properties that rules are about.
    let ruledProperties: [PropertyLayout]
    /// What a save looks at first in each object.
    let quickChecks: QuickChecks
    /// Whether rows have all that there is of an object: no transient attributes, and no to-many relationships.
    package let isWhollyInColumns: Bool
    /// Whether a value may lie outside of its row.
    let mayHaveDeferredValues: Bool
    /// Whether there are relationships kept as links, or in an order.
    package let hasLinks: Bool
    /// Whether a relationship can deny the deletion of an object.
    package let hasDenyRule: Bool
    /// The relationships whose rules are carried out when an object is deleted, and not by its save: cascades, and those that let go.
    package let propagations: [(slot: Int, relationship: RelationshipLayout)]
    private let slotsByName: [String: Int]

    init(
        description: EntityDescription, index: Int, superentityIndex: Int?, rootIndex: Int,
        familyIndices: [Int], properties: [PropertyLayout], columns: [ColumnLayout],
        uniqueConstraints: [UniqueColumns] = [], indexes: [IndexDescription] = [],
        contributions: [Int] = [], mayHearOfSaves: Bool = false
    ) {
        self.description = description
        self.index = index
        self.superentityIndex = superentityIndex
        self.rootIndex = rootIndex
        self.familyIndices = familyIndices
        self.properties = properties
        self.columns = columns
        self.uniqueConstraints = uniqueConstraints
        indexedColumns = IndexedColumns.all(
            uniqueConstraints, indexes, properties: properties, columns: columns)
        self.fields = RowFields(columns)
        self.places = SlotPlace.places(of: properties, fields)
        self.objectClass = description.objectClass ?? ManagedObject.self
        self.defaults = properties.compactMap { property in
            property.attribute?.defaultValue.map { (property.slot, $0) }
        }
        self.derivations = properties.compactMap { property in
            guard case .derived(let derivation)? = property.attribute?.storage else { return nil }
            return (property.slot, derivation)
        }
        self.derivedColumns = derivations.flatMap { properties[$0.slot].columns }
        self.copiesFromOthers = derivations.contains { $0.derivation.path?.contains(".") == true }
        self.contributions = contributions
        self.mayHearOfSaves = mayHearOfSaves
        self.ruledProperties = properties.filter(\.hasRules)
        self.quickChecks = QuickChecks(ruledProperties, slotCount: properties.count)
        self.isWhollyInColumns = properties.allSatisfy { !$0.columns.isEmpty }
        self.mayHaveDeferredValues = !fields.externalColumns.isEmpty
        let relationships = properties.compactMap(\.relationship)
        self.hasLinks = relationships.contains { $0.isManyToMany || $0.description.isOrdered }
        self.hasDenyRule = relationships.contains { $0.description.deleteRule == .deny }
        self.propagations = properties.compactMap { property in
            guard let relationship = property.relationship else { return nil }
            switch relationship.description.deleteRule {
            case .cascade, .nullify: return (property.slot, relationship)
            case .deny, .noAction: return nil
            }
        }
        self.slotsByName = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.slot) })
    }

    /// The entity's name.
    public var name: String { description.name }
    /// Whether there are only objects of its subentities.
    public var isAbstract: Bool { description.isAbstract }
    /// Whether other entities inherit from it.
    public var hasSubentities: Bool { familyIndices.count > 1 }

    /// Whether the class of the entity's objects is one of the program's own.
    package var hasObjectClass: Bool { description.objectClass != nil }

    /// Whether the entity is another one, or inherits from it.
    package func isKind(of other: EntityLayout) -> Bool { other.familyIndices.contains(index) }

    /// Finds a property by name; nil when there is none.
    public func property(named name: String) -> PropertyLayout? {
        slotsByName[name].map { properties[$0] }
    }
}

/// An entity with everything that follows from the whole model: inherited properties, slots and columns.
///
/// Each property has a *slot*: those of the superentity come first, then the entity's own sorted by the bytes of their names. So a
/// property has the same slot in all subentities, and its slot doesn't depend on the order of declaration.
public final class EntityLayout: Sendable {
    /// The description, with parts sorted by the bytes of their names and with all inverses.
    public let description: EntityDescription
    /// The index of the entity in the model, whose entities are sorted by the bytes of their names.
    public let index: Int
    /// The index of the superentity.
    public let superentityIndex: Int?
    /// The index of the root entity of its inheritance tree.
    ///
    /// The entities of a tree share a key space and, in SQL, a table.
    public let rootIndex: Int
    /// The indices of this entity and all entities that inherit from it, in the order of the model.
    public let familyIndices: [Int]
    /// All properties by slot, including inherited ones.
    public let properties: [PropertyLayout]
    /// All columns of a row, in slot order.
    public let columns: [ColumnLayout]
    /// The unique constraints, including inherited ones.
    public let uniqueConstraints: [UniqueColumns]
    /// The indexes and unique constraints on text and data columns, including inherited ones.
    let indexedColumns: [IndexedColumns]
    /// The offset of each column's field in a packed row.
    package let fields: RowFields
    /// The location of each slot's first column in a packed row.
    package let slotLocations: [SlotLocation]
    /// The class of the entity's objects.
    package let objectClass: ManagedObject.Type
    /// The attributes with default values.
    package let defaults: [(slot: Int, initial: AttributeDefault)]
    /// The derived attributes, which a save computes.
    package let derivations: [(slot: Int, derivation: Derivation)]
    /// The columns of the derived attributes.
    let derivedColumns: [Int]
    /// Whether a derived attribute copies an attribute of another object.
    let copiesFromOtherObjects: Bool
    /// The slots of relationships whose destination derives an attribute over the inverse.
    package let contributions: [Int]
    /// Whether the entity's class, or a class that it inherits from, may override a hook of saves or deletions.
    let hasSaveHooks: Bool
    /// The properties with validation rules.
    let validatedProperties: [PropertyLayout]
    /// The fast checks that a save performs first on each object.
    let quickChecks: QuickChecks
    /// Whether rows contain all properties: there are no transient attributes and no to-many relationships.
    package let rowsAreComplete: Bool
    /// Whether values may be stored outside of their row.
    let mayHaveDeferredValues: Bool
    /// Whether there are many-to-many or ordered relationships.
    package let hasLinks: Bool
    /// Whether a relationship can deny the deletion of an object.
    package let hasDenyRule: Bool
    /// The relationships whose delete rules are applied when an object is deleted, before its save: cascade and nullify.
    package let propagations: [(slot: Int, relationship: RelationshipLayout)]
    private let slotsByName: [String: Int]

    init(
        description: EntityDescription, index: Int, superentityIndex: Int?, rootIndex: Int,
        familyIndices: [Int], properties: [PropertyLayout], columns: [ColumnLayout],
        uniqueConstraints: [UniqueColumns] = [], indexes: [IndexDescription] = [],
        contributions: [Int] = [], hasSaveHooks: Bool = false
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
        self.slotLocations = SlotLocation.slotLocations(of: properties, fields)
        self.objectClass = description.objectClass ?? ManagedObject.self
        self.defaults = properties.compactMap { property in
            property.attribute?.defaultValue.map { (property.slot, $0) }
        }
        self.derivations = properties.compactMap { property in
            guard case .derived(let derivation)? = property.attribute?.storage else { return nil }
            return (property.slot, derivation)
        }
        self.derivedColumns = derivations.flatMap { properties[$0.slot].columns }
        self.copiesFromOtherObjects = derivations.contains { $0.derivation.path?.contains(".") == true }
        self.contributions = contributions
        self.hasSaveHooks = hasSaveHooks
        self.validatedProperties = properties.filter(\.hasRules)
        self.quickChecks = QuickChecks(validatedProperties, slotCount: properties.count)
        self.rowsAreComplete = properties.allSatisfy { !$0.columns.isEmpty }
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
    /// Whether only objects of its subentities can be created.
    public var isAbstract: Bool { description.isAbstract }
    /// Whether other entities inherit from it.
    public var hasSubentities: Bool { familyIndices.count > 1 }

    /// Whether the entity has a class other than ``ManagedObject``.
    package var hasObjectClass: Bool { description.objectClass != nil }

    /// Whether the entity is the other one or inherits from it.
    package func isKind(of other: EntityLayout) -> Bool { other.familyIndices.contains(index) }

    /// Returns the property with the given name; nil if the entity has none.
    public func property(named name: String) -> PropertyLayout? {
        slotsByName[name].map { properties[$0] }
    }
}

/// The entities of a store, immutable and validated.
///
/// ```swift
/// let model = try ObjectModel([Game.self, Player.self])
/// ```
public final class ObjectModel: Sendable {
    /// The entities with their inherited properties, slots and columns, sorted by the bytes of their names.
    public let layouts: [EntityLayout]
    private let indicesByName: [String: Int]
    /// The inheritance trees that a cascade reaches, by relationship, for cascades that delete rows without loading objects.
    let cascadeReaches: [ObjectIdentifier: CascadeReach]
    /// The properties that derived attributes of other entities depend on, by the index of the entity that has the properties.
    let copiedProperties: [Int: [CopiedProperty]]
    /// Those of them that are copied over references which may exist without the row.
    let propertiesCopiedOverDanglingReferences: [Int: [CopiedProperty]]
    /// The root entities of inheritance trees in which a many-to-many relationship can release its members.
    let memberReleasingRoots: [Int]
    /// The fingerprint, after its first use.
    let cachedFingerprint = Guarded<String?>(nil)

    /// Creates a model from entities and the transformers that their attributes name.
    ///
    /// - Throws: ``ModelError`` with all problems of the entities.
    public convenience init(
        entities: [EntityDescription], transformers: [any AttributeTransformer] = []
    ) throws {
        try self.init(checking: entities, transformers: transformers)
    }

    /// Creates a model from entities; if `transformers` is nil, the transformers' names aren't checked.
    ///
    /// - Parameter found: The problems that the caller has already found.
    init(
        checking entities: [EntityDescription], transformers: [any AttributeTransformer]?,
        found: ModelProblems = ModelProblems()
    ) throws(ModelError) {
        var problems = found
        let hierarchy = EntityHierarchy(entities, &problems)
        let inverses = InverseResolution(hierarchy, &problems)
        ModelChecking(hierarchy: hierarchy, inverses: inverses, transformers: transformers).check(&problems)
        try problems.throwIfAny()
        layouts = LayoutBuilder(hierarchy, inverses, transformers ?? []).layouts()
        indicesByName = hierarchy.indices
        cascadeReaches = CascadeReach.all(in: layouts)
        copiedProperties = CopiedProperty.all(in: layouts)
        propertiesCopiedOverDanglingReferences = CopiedProperty.overDanglingReferences(
            copiedProperties, layouts)
        memberReleasingRoots = Self.memberReleasingRoots(in: layouts)
    }

    /// A model without entities.
    package static let empty = ObjectModel(layouts: [], indicesByName: [:])

    /// Creates a model from layouts without checking them.
    init(layouts: [EntityLayout], indicesByName: [String: Int]) {
        self.layouts = layouts
        self.indicesByName = indicesByName
        cascadeReaches = CascadeReach.all(in: layouts)
        copiedProperties = CopiedProperty.all(in: layouts)
        propertiesCopiedOverDanglingReferences = CopiedProperty.overDanglingReferences(
            copiedProperties, layouts)
        memberReleasingRoots = Self.memberReleasingRoots(in: layouts)
    }

    /// Creates a model from classes with `@Entity`, or that override ``ManagedObject/entityDescription``.
    ///
    /// - Throws: ``ModelError`` with all problems of the entities.
    public convenience init(
        _ classes: [ManagedObject.Type], transformers: [any AttributeTransformer] = []
    ) throws {
        let entities = classes.map(\.entityDescription)
        var problems = ModelProblems()
        DefaultStabilityChecking(described: entities, again: classes.map(\.entityDescription)).check(
            &problems)
        try self.init(checking: entities, transformers: transformers, found: problems)
    }

    /// Returns the entity with the given name; nil if the model has none.
    public func layout(named name: String) -> EntityLayout? {
        indicesByName[name].map { layouts[$0] }
    }
}

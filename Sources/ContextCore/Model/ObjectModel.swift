/// The entities that a store keeps: immutable, and checked when it is made.
///
/// ```swift
/// let model = try ObjectModel([Game.self, Player.self])
/// ```
public final class ObjectModel: Sendable {
    /// The entities with their inherited properties, slots and columns, sorted by the bytes of their names.
    public let layouts: [EntityLayout]
    private let indicesByName: [String: Int]
    /// How far the cascades reach whose rows a save may delete without objects of them, by relationship.
    let cascadeReaches: [ObjectIdentifier: CascadeReach]
    /// The properties that derived attributes of other entities depend on, by the entity that has them.
    let copiedProperties: [Int: [CopiedProperty]]
    /// The roots of inheritance trees with an end of a many-to-many relationship that releases its members
    /// (``PairCollection``).
    let pairedRoots: [Int]
    /// The fingerprint, once it was asked for.
    let knownFingerprint = Guarded<String?>(nil)

    /// Makes a model of entities, and of the transformers that their attributes name.
    ///
    /// - Throws: ``ModelError`` with every problem there is.
    public convenience init(
        entities: [EntityDescription], transformers: [any AttributeTransformer] = []
    ) throws {
        try self.init(checking: entities, transformers: transformers)
    }

    /// Makes a model; where no transformers are given at all, their names are taken as they are.
    ///
    /// - Parameter found: What is already known to be wrong.
    init(
        checking entities: [EntityDescription], transformers: [any AttributeTransformer]?,
        found: ModelProblems = ModelProblems()
    ) throws(ModelError) {
        var problems = found
        let hierarchy = EntityHierarchy(entities, &problems)
        let inverses = InverseResolution(hierarchy, &problems)
        ModelChecking(hierarchy: hierarchy, inverses: inverses, transformers: transformers).check(&problems)
        try problems.throwIfAny()
        layouts = LayoutMaking(hierarchy, inverses, transformers ?? []).layouts()
        indicesByName = hierarchy.indices
        cascadeReaches = CascadeReach.all(in: layouts)
        copiedProperties = CopiedProperty.all(in: layouts)
        pairedRoots = PairCollection.roots(in: layouts)
    }

    /// A model without entities.
    package static let empty = ObjectModel(layouts: [], indicesByName: [:])

    /// Makes a model of layouts that nobody checks.
    init(layouts: [EntityLayout], indicesByName: [String: Int]) {
        self.layouts = layouts
        self.indicesByName = indicesByName
        cascadeReaches = CascadeReach.all(in: layouts)
        copiedProperties = CopiedProperty.all(in: layouts)
        pairedRoots = PairCollection.roots(in: layouts)
    }

    /// Makes a model of classes that `@Entity` describes, or that describe themselves.
    ///
    /// - Throws: ``ModelError`` with every problem there is.
    public convenience init(
        _ classes: [ManagedObject.Type], transformers: [any AttributeTransformer] = []
    ) throws {
        let entities = classes.map(\.entityDescription)
        var problems = ModelProblems()
        ConstancyChecking(described: entities, again: classes.map(\.entityDescription)).check(&problems)
        try self.init(checking: entities, transformers: transformers, found: problems)
    }

    /// Finds an entity by name; nil when there is none.
    public func layout(named name: String) -> EntityLayout? {
        indicesByName[name].map { layouts[$0] }
    }
}

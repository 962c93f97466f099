/// The entities that a store keeps: immutable, and checked when it is made.
///
/// ```swift
/// let model = try ObjectModel([Game.self, Player.self])
/// ```
public final class ObjectModel: Sendable {
    /// The entities with their inherited properties, slots and columns, sorted by the bytes of their names.
    public let layouts: [EntityLayout]
    private let indicesByName: [String: Int]

    /// Makes a model of entities.
    ///
    /// - Throws: ``ModelError`` with every problem there is.
    public init(entities: [EntityDescription]) throws {
        var problems: [ModelProblem] = []
        let hierarchy = EntityHierarchy(entities, problems: &problems)
        let inverses = InverseResolution(hierarchy, problems: &problems)
        guard problems.isEmpty else { throw ModelError(problems: problems) }
        layouts = LayoutMaking(hierarchy, inverses).layouts()
        indicesByName = hierarchy.indices
    }

    /// A model without entities.
    static let empty = ObjectModel()

    private init() {
        layouts = []
        indicesByName = [:]
    }

    /// Makes a model of classes that `@Entity` describes, or that describe themselves.
    public convenience init(_ classes: [ManagedObject.Type]) throws {
        try self.init(entities: classes.map(\.entityDescription))
    }

    /// Finds an entity by name; nil when there is none.
    public func layout(named name: String) -> EntityLayout? {
        indicesByName[name].map { layouts[$0] }
    }
}

import Foundation

/// Determines the properties that a key path accesses, by applying it to an object that records accesses.
///
/// It works for every class that reads its properties through the accessors of ``ManagedObject``, and for chains through to-one
/// relationships.
final class KeyPathProbe {
    /// The values that the accessed properties return.
    enum ReturnedValues {
        /// Values by attribute name, or placeholders; no objects for to-many relationships.
        case values([String: StoredValue])
        /// A sample for each attribute, and one object for each to-many relationship.
        case samples(AttributeSamples)
    }

    /// The names of the accessed properties.
    private(set) var names: [String] = []
    /// The value that the last property returned.
    private(set) var lastValue = ProbedValue.incomparable
    private let returnedValues: ReturnedValues

    init(returning returnedValues: ReturnedValues = .values([:])) {
        self.returnedValues = returnedValues
    }

    /// Records access to an attribute and returns its value.
    func storedValue(_ slot: Int, of object: ManagedObject) -> StoredValue {
        let name = record(slot, of: object)
        switch returnedValues {
        case .values(let values):
            lastValue = .placeholder
            return values[name] ?? .null
        case .samples(let samples):
            guard let type = type(of: object).sampledType(of: name), let sample = samples.sample(of: type)
            else {
                return .null
            }
            lastValue = .value(sample, of: type)
            return sample
        }
    }

    /// Records access to a to-one relationship and returns an object of its class.
    func follow<Target: ManagedObject>(_ slot: Int, of object: ManagedObject) -> Target {
        record(slot, of: object)
        let target = makeObject(of: Target.self)
        lastValue = .objects([target])
        return target
    }

    /// Records access to a to-many relationship and returns its members.
    func members<Target: ManagedObject>(
        _ slot: Int, of object: ManagedObject, as type: Target.Type
    ) -> [Target] {
        record(slot, of: object)
        var members: [Target] = []
        if case .samples = returnedValues { members.append(makeObject(of: Target.self)) }
        lastValue = .objects(members)
        return members
    }

    @discardableResult
    private func record(_ slot: Int, of object: ManagedObject) -> String {
        let name = object.entity.properties[slot].name
        names.append(name)
        lastValue = .incomparable
        return name
    }

    private func makeObject<Root: ManagedObject>(of type: Root.Type) -> Root {
        let entity = EntityLayout(probing: type)
        let graph = ObjectGraph(probe: self)
        graph.layoutsByClass[ObjectIdentifier(type)] = entity
        // The object retains the graph from its creation on.
        return withExtendedLifetime(graph) {
            Root(
                creation: ObjectCreation(ObjectOrigin(graph: graph, entity: entity, key: 0, state: .detached))
            )
        }
    }

    /// Applies a key path to a new object of its root class.
    func value<Root: ManagedObject, Value>(at keyPath: KeyPath<Root, Value>) -> Value {
        makeObject(of: Root.self)[keyPath: keyPath]
    }

    /// Applies a key path to a new object of its root class.
    func anyValue<Root: ManagedObject>(at keyPath: PartialKeyPath<Root>) -> Any {
        makeObject(of: Root.self)[keyPath: keyPath]
    }

    /// Returns the names of the properties that a key path accesses.
    static func names<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> [String] {
        let probe = KeyPathProbe()
        _ = probe.anyValue(at: keyPath)
        return probe.names
    }
}

extension EntityLayout {
    /// Creates a layout that contains only the names of a class's properties; a probe needs nothing else.
    fileprivate convenience init(probing type: ManagedObject.Type) {
        let properties = type.slotNames.enumerated().map { slot, name in
            PropertyLayout(
                name: name, slot: slot, kind: .attribute(AttributeDescription(name, .string)), columns: 0..<0)
        }
        self.init(
            description: EntityDescription(type.entityName), index: 0, superentityIndex: nil, rootIndex: 0,
            familyIndices: [0], properties: properties, columns: [])
    }
}

/// The parent of a probe's objects, which never read from it.
final class ProbeParent: ContextParent {
    let identifiers = IdentifierSpaces(probing: UUID())
    let needsBaseRows = false

    private var noStoreError: StoreError {
        StoreError(
            .closed, "This object only resolves key paths and has no store, so it can't be fetched or saved.")
    }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { throw noStoreError }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch { throw noStoreError }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { throw noStoreError }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { throw noStoreError }
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> { throw noStoreError }
    func save(_ changes: ChangeSet) throws -> SaveReceipt { throw noStoreError }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { throw noStoreError }
}

import Foundation

/// Finds out which properties a key path names, by walking it over an object that notes what it is asked for.
///
/// It works for every class that reads its properties by the accessors of ``ManagedObject``, whoever wrote it, and for chains
/// through to-one relationships.
final class KeyPathProbe {
    /// What the properties that are walked over answer.
    enum Answers {
        /// Attributes their values by name, or placeholders; to-many relationships nothing.
        case values([String: StoredValue])
        /// Attributes a sample of their type, and to-many relationships one object.
        case samples(AttributeSamples)
    }

    /// What the walk has passed so far.
    private(set) var names: [String] = []
    /// What the last property answered.
    private(set) var lastAnswer = ProbeAnswer.anything
    private let answers: Answers

    init(answering answers: Answers = .values([:])) {
        self.answers = answers
    }

    /// Notes an attribute, and answers its value.
    func storedValue(_ slot: Int, of object: ManagedObject) -> StoredValue {
        let name = record(slot, of: object)
        switch answers {
        case .values(let values):
            lastAnswer = .placeholder
            return values[name] ?? .null
        case .samples(let samples):
            guard let type = type(of: object).sampledType(of: name), let sample = samples.sample(of: type)
            else {
                return .null
            }
            lastAnswer = .value(sample, of: type)
            return sample
        }
    }

    /// Notes a to-one relationship, and answers an object of its class to walk on over.
    func follow<Target: ManagedObject>(_ slot: Int, of object: ManagedObject) -> Target {
        record(slot, of: object)
        let target = makeObject(of: Target.self)
        lastAnswer = .objects([target])
        return target
    }

    /// Notes a to-many relationship, and answers its objects.
    func members<Target: ManagedObject>(
        _ slot: Int, of object: ManagedObject, as type: Target.Type
    ) -> [Target] {
        record(slot, of: object)
        var members: [Target] = []
        if case .samples = answers { members.append(makeObject(of: Target.self)) }
        lastAnswer = .objects(members)
        return members
    }

    @discardableResult
    private func record(_ slot: Int, of object: ManagedObject) -> String {
        let name = object.entity.properties[slot].name
        names.append(name)
        lastAnswer = .anything
        return name
    }

    private func makeObject<Root: ManagedObject>(of type: Root.Type) -> Root {
        let entity = EntityLayout(probing: type)
        let graph = ObjectGraph(probe: self)
        graph.layoutsByClass[ObjectIdentifier(type)] = entity
        // It keeps the graph until the object does.
        return withExtendedLifetime(graph) {
            Root(birth: ObjectBirth(ObjectOrigin(graph: graph, entity: entity, key: 0, state: .detached)))
        }
    }

    /// Walks a key path, from an object of a class.
    func value<Root: ManagedObject, Value>(at keyPath: KeyPath<Root, Value>) -> Value {
        makeObject(of: Root.self)[keyPath: keyPath]
    }

    /// Walks a key path, from an object of a class.
    func anyValue<Root: ManagedObject>(at keyPath: PartialKeyPath<Root>) -> Any {
        makeObject(of: Root.self)[keyPath: keyPath]
    }

    /// The names of the properties that a key path walks over, from an object of a class.
    static func names<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> [String] {
        let probe = KeyPathProbe()
        _ = probe.anyValue(at: keyPath)
        return probe.names
    }
}

extension EntityLayout {
    /// The bare names of a class's properties, in their slots; all that a probe needs.
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

/// The parent of a probe's objects, which never ask it for anything.
final class ProbeParent: ContextParent {
    let identifiers = IdentifierSpaces(probing: UUID())
    let wantsBaseRows = false

    private var refusal: StoreError {
        StoreError(.closed, "An object that only finds out key paths has no store.")
    }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { throw refusal }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch { throw refusal }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { throw refusal }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { throw refusal }
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> { throw refusal }
    func save(_ changes: ChangeSet) throws -> SaveReceipt { throw refusal }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { throw refusal }
}

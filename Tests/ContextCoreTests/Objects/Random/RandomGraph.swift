import Foundation

@testable import ContextCore

/// A stack of contexts, and the worlds with their expected contents.
final class RandomGraph {
    /// A context with its expected contents, those of its parent, and its undo history.
    struct Level {
        let context: ObjectContext
        var world: RandomWorld
        var past: [RandomWorld] = []
        var future: [RandomWorld] = []
        var objects: [Int: ManagedObject] = [:]
    }

    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let coordinator: InMemoryCoordinator
    var stored = RandomWorld()
    var levels: [Level] = []
    var ids: [Int: ObjectID] = [:]
    private var lastID = 0

    init(_ model: ObjectModel) throws {
        coordinator = InMemoryCoordinator(model: model)
        levels = [Level(context: try Self.context(coordinator), world: stored)]
    }

    static func context(_ coordinator: InMemoryCoordinator) throws -> ObjectContext {
        let context = ObjectContext(model: coordinator.model, parent: try CountingParent(coordinator))
        context.isUndoEnabled = true
        return context
    }

    static func model() throws -> ObjectModel {
        try ObjectModel(
            entities: RandomWorld.kinds.map { kind in
                EntityDescription(
                    kind,
                    attributes: [
                        AttributeDescription("number", .int64, isOptional: true),
                        AttributeDescription("text", .string, default: .value(.string(""))),
                    ],
                    relationships: RandomWorld.relations.filter { $0.kind == kind }.map { relation in
                        RelationshipDescription(
                            relation.name, to: relation.destination, inverse: relation.inverse,
                            isToMany: relation.isMany, isOrdered: relation.isOrdered,
                            deleteRule: relation.cascades ? .cascade : relation.denies ? .deny : .nullify)
                    })
            })
    }

    var context: ObjectContext { levels[levels.count - 1].context }

    var world: RandomWorld {
        get { levels[levels.count - 1].world }
        set { levels[levels.count - 1].world = newValue }
    }

    /// The expected contents of the context's parent.
    var below: RandomWorld { levels.count > 1 ? levels[levels.count - 2].world : stored }

    // MARK: Objects

    func insert(_ kind: String) throws -> Int {
        lastID += 1
        let object = try context.insert(kind)
        levels[levels.count - 1].objects[lastID] = object
        world.nodes[lastID] = RandomWorld.Node(kind: kind)
        return lastID
    }

    /// Returns a number for an object that this context has not inserted.
    func register(_ objectID: ObjectID, _ kind: String) -> Int {
        lastID += 1
        ids[lastID] = objectID
        world.nodes[lastID] = RandomWorld.Node(kind: kind)
        return lastID
    }

    func object(_ id: Int) throws -> ManagedObject {
        if let known = levels[levels.count - 1].objects[id] { return known }
        guard let objectID = ids[id] else { throw Difference(description: "No identifier of \(id).") }
        let object = try context.object(with: objectID)
        levels[levels.count - 1].objects[id] = object
        return object
    }

    /// Drops the references to all saved objects, which are looked up by identifier from then on.
    func dropReferences() {
        recordIDs()
        for index in levels.indices {
            levels[index].objects = levels[index].objects.filter(\.value.objectID.isTemporary)
        }
    }

    func recordIDs() {
        for level in levels {
            for (id, object) in level.objects where level.world.nodes[id] != nil { ids[id] = object.objectID }
        }
    }

    /// Removes objects that the context must no longer have registered.
    func removeLostObjects() {
        let world = world
        let isGone = { (id: Int) in world.nodes[id] == nil }
        levels[levels.count - 1].objects = levels[levels.count - 1].objects.filter { !isGone($0.key) }
    }

    // MARK: Comparing

    func compareAll() throws {
        for id in world.nodes.keys.sorted() { try compare(id) }
        for kind in RandomWorld.kinds {
            let found = try context.count(FetchRequest<ManagedObject>(entityName: kind))
            try expect(
                found == world.ids(kind).count, "\(kind): \(found) instead of \(world.ids(kind).count)")
        }
    }

    func compare(_ id: Int) throws {
        guard let node = world.nodes[id] else { return }
        let object = try object(id)
        try expect(object.entityLayout.name == node.kind, "\(id) is a \(object.entityLayout.name)")
        try expect(!object.isDeleted, "\(node.kind) \(id) is deleted")
        let number = try object["number"]
        try expect(
            number == (node.number.map(StoredValue.int) ?? .null), "\(id).number is \(number), not \(node)")
        try expect(try object["text"] == .string(node.text), "\(id).text is not \(node.text)")
        for relation in RandomWorld.relations where relation.kind == node.kind { try compare(id, relation) }
    }

    func compare(_ id: Int, _ relation: RandomWorld.Relation) throws {
        let object = try object(id)
        let expected = try world.links(id, relation.name).map { try self.object($0) }
        let found =
            relation.isMany
            ? try object.objects(relation.name) : try object.object(relation.name).map { [$0] } ?? []
        let isEqual =
            relation.isOrdered
            ? found == expected : found.count == expected.count && Set(found) == Set(expected)
        try expect(
            isEqual,
            "\(relation.kind) \(id).\(relation.name) is \(names(found)), not \(world.links(id, relation.name))"
        )
    }

    func names(_ objects: [ManagedObject]) -> [String] {
        let known = levels[levels.count - 1].objects
        return objects.map { object in
            known.first { $0.value === object }.map { "\($0.key)" }
                ?? "\(object.objectID) (\(object.objectState))"
        }
    }

    func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Difference(description: text()) }
    }
}

@testable import ContextCore
@testable import StoreConformance

/// A context of a script, with the state that the script keeps for it.
final class GraphWorker {
    /// The letter of the context in reports.
    let name: String
    let context: ObjectContext
    private let numbers: GraphNumbers
    /// The saved changes that the context has not merged, if it merges manually.
    private let mailbox: ChangeMailbox?
    /// Strong references to the registered objects, which the context holds weakly.
    private var held: Set<ManagedObject> = []
    /// The contents of the context when it was read last.
    var world = GraphWorld()
    var objects: [Int: ManagedObject] = [:]
    /// The links that the context has added and removed since its last save.
    var pendingLinks = GraphLinks.Changes()
    var history = GraphUndoHistory()
    var policyName = "error"
    /// Whether other contexts have changed the store since this one merged last.
    var isBehind = false
    /// Whether objects were unloaded, and the context hasn't been read since.
    var isUnread = false
    /// Whether the store is as it was when the context was read last.
    var isCurrent = true

    /// Creates a worker for a context.
    ///
    /// - Parameter mailbox: The mailbox of changes that the context merges manually; nil if it merges automatically or has a parent.
    init(_ name: String, _ context: ObjectContext, _ numbers: GraphNumbers, mailbox: ChangeMailbox? = nil) {
        self.name = name
        self.context = context
        self.numbers = numbers
        self.mailbox = mailbox
    }

    var hasChanges: Bool { context.hasChanges }

    /// Fetches all objects, including those that other contexts have inserted.
    func fetchAll() throws {
        for kind in GraphModel.kinds {
            for object in try context.fetch(FetchRequest<ManagedObject>(entityName: kind)) {
                held.insert(object)
            }
        }
    }

    var mergesByHand: Bool { mailbox != nil }
    var followsByItself: Bool { context.automaticallyMergesChanges }

    /// Merges the changes in the mailbox.
    func mergeByHand() throws {
        for change in mailbox?.removeAll() ?? [] { try context.merge(change) }
    }

    /// The object with a number.
    subscript(number: Int) -> ManagedObject {
        get throws {
            guard let object = objects[number] else {
                throw ConformanceFailure("There is no object \(number).", file: #fileID, line: #line)
            }
            return object
        }
    }

    /// Returns the number of an object.
    func number(of object: ManagedObject) -> Int { numbers.number(of: object) }

    /// The numbers of the inserted objects.
    var insertedNumbers: Set<Int> { Set(context.insertedObjects.map(number)) }

    /// Returns whether the context has the addition or removal of a link as an unsaved change, or the deletion of one of its objects.
    func hasPending(_ link: GraphLinks.Link) -> Bool {
        if context.deletedObjects.contains(where: { [link.owner, link.member].contains(number(of: $0)) }) {
            return true
        }
        guard let owner = objects[link.owner], let member = objects[link.member] else { return false }
        return changes(member, of: owner, link.name) || changes(owner, of: member, link.inverseName)
    }

    private func changes(_ member: ManagedObject, of owner: ManagedObject, _ name: String) -> Bool {
        guard let slot = owner.entity.property(named: name)?.slot,
            case .collection(let state)? = owner.overlay?.slots[slot]
        else { return false }
        return state.removed.contains(member) || state.added.contains(member)
    }

    /// Drops all changes and references to objects, after which the context may not hold any.
    func release() throws {
        context.isUndoEnabled = false
        context.rollback()
        // Until the next fetch, a context keeps the objects that others have changed or deleted.
        try fetchAll()
        (held, objects) = ([], [:])
    }

    // MARK: Reading

    /// Reads all registered objects, and loads their faults.
    func read() throws {
        isCurrent = true
        // A deferred error belongs to an earlier step.
        try? context.graph.throwDeferredError()
        (world, objects) = (GraphWorld(), [:])
        var seen: Set<ManagedObject> = []
        while true {
            let new = context.registeredObjects.subtracting(seen).sorted {
                ($0.rootIndex, $0.key) < ($1.rootIndex, $1.key)
            }
            if new.isEmpty { break }
            for object in new {
                seen.insert(object)
                held.insert(object)
                guard object.isLive, let node = try node(of: object) else { continue }
                let number = numbers.number(of: object)
                world.nodes[number] = node
                objects[number] = object
            }
        }
        // A context may refer to deleted rows until it merges their deletion.
        world.removeDanglingLinks()
    }

    /// Returns the values of an object; nil if its row doesn't exist any more.
    private func node(of object: ManagedObject) throws -> GraphWorld.Node? {
        do {
            let kind = object.entityLayout.name
            var node = GraphWorld.Node(kind: kind)
            if case .string(let text) = try object["text"] { node.text = text }
            if case .int(let value) = try object["number"] { node.number = value }
            for derived in GraphModel.derived(of: kind) where derived.derivation != .now {
                node.derived[derived.name] = try object[derived.name]
            }
            for relation in GraphModel.relations(of: kind) {
                node.links[relation.name] = try links(of: object, relation)
            }
            return node
        } catch let error as StoreError where error.code == .objectNotFound {
            return nil
        }
    }

    private func links(of object: ManagedObject, _ relation: GraphModel.Relation) throws -> [Int] {
        if !relation.isMany {
            guard let target = try object.object(relation.name), target.isLive else { return [] }
            held.insert(target)
            return [numbers.number(of: target)]
        }
        let objects = try object.objects(relation.name)
        // Otherwise the context may free the members before they are read.
        held.formUnion(objects)
        let members = objects.map(numbers.number)
        return relation.isOrdered ? members : members.sorted()
    }
}

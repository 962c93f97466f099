@testable import ContextCore

/// The expected result of a save to the store, if no other context has changed the same objects.
struct GraphSave {
    private let mine: GraphWorld
    /// The changed properties of inserted and updated objects; nil for all properties.
    private let changed: [Int: Set<String>?]
    private let deleted: Set<Int>
    private let links: GraphLinks.Changes

    /// Captures the pending changes of a context before its save.
    init(_ worker: GraphWorker) {
        mine = worker.world
        let context = worker.context
        var changed: [Int: Set<String>?] = [:]
        for object in context.insertedObjects { changed[worker.number(of: object)] = .some(nil) }
        for object in context.updatedObjects {
            changed[worker.number(of: object)] = object.changedPropertyNames
        }
        self.changed = changed
        deleted = Set(context.deletedObjects.map { worker.number(of: $0) })
        links = worker.pendingLinks
    }

    /// Returns the store after the save: the context's rows of changed objects, merged links, and derived attributes by definition.
    ///
    /// Lists keep the order of the store before the save, which isn't compared.
    func expected(from before: GraphWorld) -> GraphWorld {
        var world = before
        for number in deleted { world.nodes[number] = nil }
        for (number, names) in changed {
            guard let node = mine.nodes[number] else { continue }
            func isChanged(_ name: String) -> Bool { names?.contains(name) ?? true }
            // Another context has deleted it, and this one has changed only its lists: there is no row to save, and no conflict.
            if world.nodes[number] == nil, !GraphModel.columns(of: node.kind).contains(where: isChanged) {
                continue
            }
            var row = world.nodes[number] ?? GraphWorld.Node(kind: node.kind)
            if isChanged("text") { row.text = node.text }
            if isChanged("number") { row.number = node.number }
            for relation in GraphModel.relations(of: node.kind)
            where !relation.isMany && isChanged(relation.name) {
                row.links[relation.name] = node.links[relation.name]
            }
            world.nodes[number] = row
        }
        let linked = GraphLinks(before).links.union(links.added).subtracting(links.removed)
        world.connect(linked)
        return world
    }
}

extension GraphWorld {
    /// Sets all to-many relationships: one-to-many from their to-one inverses, many-to-many from links.
    fileprivate mutating func connect(_ links: Set<GraphLinks.Link>) {
        let present = Set(nodes.keys)
        for (number, node) in nodes {
            for relation in GraphModel.relations(of: node.kind) {
                if relation.isMany {
                    nodes[number]?.links[relation.name] = []
                } else {
                    nodes[number]?.links[relation.name] = (node.links[relation.name] ?? []).filter(
                        present.contains)
                }
            }
        }
        for (number, node) in nodes.sorted(by: { $0.key < $1.key }) {
            for relation in GraphModel.relations(of: node.kind) where !relation.isMany {
                let inverse = GraphModel.inverse(of: relation)
                guard inverse.isMany, let owner = node.links[relation.name]?.first else { continue }
                nodes[owner]?.links[inverse.name, default: []].append(number)
            }
        }
        for link in links.sorted(by: { ($0.owner, $0.member) < ($1.owner, $1.member) })
        where nodes[link.owner] != nil && nodes[link.member] != nil {
            nodes[link.owner]?.links[link.name, default: []].append(link.member)
            let back = link.name == "items" ? "tags" : "rankedIn"
            nodes[link.member]?.links[back, default: []].append(link.owner)
        }
        self = withSortedMembers
    }

    /// The world without derived attributes, and with the members of all relationships sorted.
    var withSortedMembers: GraphWorld {
        var world = withoutDerived
        for (number, node) in nodes {
            for (name, members) in node.links { world.nodes[number]?.links[name] = members.sorted() }
            for relation in GraphModel.relations(of: node.kind)
            where world.nodes[number]?.links[relation.name] == nil {
                world.nodes[number]?.links[relation.name] = []
            }
        }
        return world
    }
}

@testable import ContextCore

/// The contents of a context or a store as plain values: objects by number, with relationships as numbers.
struct GraphWorld: Equatable {
    /// The values of an object.
    struct Node: Equatable {
        let kind: String
        var text = ""
        var number: Int64?
        /// The members of each relationship, sorted if it is not ordered.
        ///
        /// A to-one relationship has at most one.
        var links: [String: [Int]] = [:]
        /// The derived attributes by name, except the time of a save.
        var derived: [String: StoredValue] = [:]
    }

    var nodes: [Int: Node] = [:]

    /// Returns the numbers of the objects of an entity.
    func numbers(of kind: String) -> [Int] { nodes.keys.filter { nodes[$0]?.kind == kind }.sorted() }

    /// Returns the members of a relationship.
    func links(_ number: Int, _ name: String) -> [Int] { nodes[number]?.links[name] ?? [] }

    /// The world without derived attributes, which change at a save.
    var withoutDerived: GraphWorld {
        var world = self
        for number in nodes.keys { world.nodes[number]?.derived = [:] }
        return world
    }

    /// Returns the world without the given objects, which are also removed from relationships.
    func without(_ isGone: (_ number: Int) -> Bool) -> GraphWorld {
        var world = self
        world.nodes = nodes.filter { !isGone($0.key) }
        world.removeDanglingLinks()
        return world
    }

    /// Removes members that aren't objects of the world.
    mutating func removeDanglingLinks() {
        let present = nodes
        for (number, node) in present {
            for (name, members) in node.links {
                nodes[number]?.links[name] = members.filter { present[$0] != nil }
            }
        }
    }

    /// Describes the first difference to another world; nil if they are equal.
    ///
    /// - Parameters:
    ///   - expected: The expected world.
    ///   - ignored: The numbers of objects to ignore.
    func difference(from expected: GraphWorld, ignoring ignored: Set<Int> = []) -> String? {
        for number in Set(nodes.keys).union(expected.nodes.keys).subtracting(ignored).sorted() {
            switch (nodes[number], expected.nodes[number]) {
            case (let mine?, let theirs?):
                if mine == theirs { continue }
                return "\(mine.kind)\(number): \(mine.difference(from: theirs))"
            case (let mine?, nil): return "\(mine.kind)\(number) is there, and should not be"
            case (nil, let theirs?): return "\(theirs.kind)\(number) is missing"
            case (nil, nil): continue
            }
        }
        return nil
    }
}

extension GraphWorld.Node {
    fileprivate func difference(from expected: GraphWorld.Node) -> String {
        if text != expected.text { return "text is \(text), not \(expected.text)" }
        if number != expected.number {
            return
                "number is \(number.map(String.init) ?? "nil"), not \(expected.number.map(String.init) ?? "nil")"
        }
        for relation in GraphModel.relations(of: kind) {
            let (mine, theirs) = (links[relation.name] ?? [], expected.links[relation.name] ?? [])
            if mine != theirs { return "\(relation.name) is \(mine), not \(theirs)" }
        }
        for name in Set(derived.keys).union(expected.derived.keys).sorted() {
            let (mine, theirs) = (derived[name] ?? .null, expected.derived[name] ?? .null)
            if mine != theirs { return "\(name) is \(mine), not \(theirs)" }
        }
        return "equal"
    }
}

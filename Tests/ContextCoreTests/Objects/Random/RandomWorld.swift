/// A graph of plain dictionaries with a naive implementation of all rules: the expected contents of a context.
struct RandomWorld: Equatable {
    struct Node: Equatable {
        let kind: String
        var number: Int64?
        var text = ""
        /// The members of each relationship; a to-one relationship has at most one.
        var links: [String: [Int]] = [:]
    }

    struct Relation {
        let kind: String
        let name: String
        let destination: String
        let inverse: String
        let isMany: Bool
        var isOrdered = false
        var cascades = false
        var denies = false
    }

    static let relations = [
        Relation(kind: "Box", name: "items", destination: "Item", inverse: "box", isMany: true),
        Relation(kind: "Item", name: "box", destination: "Box", inverse: "items", isMany: false),
        Relation(
            kind: "Box", name: "queue", destination: "Item", inverse: "line", isMany: true, isOrdered: true),
        Relation(kind: "Item", name: "line", destination: "Box", inverse: "queue", isMany: false),
        Relation(
            kind: "Box", name: "parts", destination: "Part", inverse: "whole", isMany: true, cascades: true),
        Relation(kind: "Part", name: "whole", destination: "Box", inverse: "parts", isMany: false),
        Relation(kind: "Box", name: "lid", destination: "Lid", inverse: "box", isMany: false, cascades: true),
        Relation(kind: "Lid", name: "box", destination: "Box", inverse: "lid", isMany: false),
        Relation(kind: "Item", name: "tags", destination: "Tag", inverse: "items", isMany: true),
        Relation(kind: "Tag", name: "items", destination: "Item", inverse: "tags", isMany: true),
        Relation(
            kind: "Tag", name: "ranking", destination: "Item", inverse: "rankedIn", isMany: true,
            isOrdered: true),
        Relation(kind: "Item", name: "rankedIn", destination: "Tag", inverse: "ranking", isMany: true),
        Relation(kind: "Item", name: "friends", destination: "Item", inverse: "friends", isMany: true),
        Relation(kind: "Item", name: "partner", destination: "Item", inverse: "partner", isMany: false),
        Relation(kind: "Part", name: "subparts", destination: "Part", inverse: "superpart", isMany: true),
        Relation(kind: "Part", name: "superpart", destination: "Part", inverse: "subparts", isMany: false),
        Relation(
            kind: "Lock", name: "keys", destination: "Lid", inverse: "lock", isMany: true, denies: true),
        Relation(kind: "Lid", name: "lock", destination: "Lock", inverse: "keys", isMany: false),
    ]
    static let kinds = ["Box", "Item", "Part", "Lid", "Tag", "Lock"]

    static func relation(_ kind: String, _ name: String) -> Relation {
        relations.first { $0.kind == kind && $0.name == name } ?? relations[0]
    }

    var nodes: [Int: Node] = [:]

    func ids(_ kind: String) -> [Int] { nodes.keys.filter { nodes[$0]?.kind == kind }.sorted() }

    /// Returns the existing members of a relationship; a denied deletion leaves links to deleted objects.
    func links(_ id: Int, _ name: String) -> [Int] {
        (nodes[id]?.links[name] ?? []).filter { nodes[$0] != nil }
    }

    mutating func setOne(_ id: Int, _ relation: Relation, _ target: Int?) {
        let inverse = Self.relation(relation.destination, relation.inverse)
        if links(id, relation.name).first == target { return }
        if let old = links(id, relation.name).first { drop(old, inverse.name, id) }
        if let target {
            if inverse.isMany {
                nodes[target]?.links[inverse.name, default: []].append(id)
            } else {
                if let rival = links(target, inverse.name).first { nodes[rival]?.links[relation.name] = [] }
                nodes[target]?.links[inverse.name] = [id]
            }
        }
        nodes[id]?.links[relation.name] = target.map { [$0] } ?? []
    }

    mutating func setMany(_ id: Int, _ relation: Relation, _ targets: [Int]) {
        let old = links(id, relation.name)
        for gone in old where !targets.contains(gone) { remove(id, relation, gone) }
        for new in targets where !old.contains(new) { add(id, relation, new) }
        if relation.isOrdered { nodes[id]?.links[relation.name] = targets }
    }

    mutating func delete(_ id: Int) {
        guard let node = nodes[id] else { return }
        nodes[id] = nil
        for relation in Self.relations where relation.kind == node.kind {
            for target in node.links[relation.name] ?? [] {
                if !relation.denies { drop(target, relation.inverse, id) }
                if relation.cascades { delete(target) }
            }
        }
    }

    private mutating func add(_ id: Int, _ relation: Relation, _ target: Int) {
        let inverse = Self.relation(relation.destination, relation.inverse)
        if inverse.isMany {
            if id != target || relation.name != inverse.name {
                nodes[target]?.links[inverse.name, default: []].append(id)
            }
        } else {
            if let old = links(target, inverse.name).first { drop(old, relation.name, target) }
            nodes[target]?.links[inverse.name] = [id]
        }
        nodes[id]?.links[relation.name, default: []].append(target)
    }

    private mutating func remove(_ id: Int, _ relation: Relation, _ target: Int) {
        drop(id, relation.name, target)
        drop(target, relation.inverse, id)
    }

    private mutating func drop(_ id: Int, _ name: String, _ target: Int) {
        nodes[id]?.links[name]?.removeAll { $0 == target }
    }
}

import ContextCore

/// The order in which objects are copied, so that each object is written after the objects that it refers to.
///
/// Inheritance trees are sorted first. Only objects of trees that refer to each other in a cycle, or to themselves, are sorted too;
/// objects that form a cycle must be written in one transaction.
enum CopyOrder {
    /// Inheritance trees that are copied together.
    struct Group: Equatable {
        /// The indexes of the trees' root entities in the model.
        let roots: [Int]
        /// Whether the trees refer to each other, or to themselves.
        let isCircular: Bool
    }

    /// Returns the groups of a model's trees in dependency order.
    static func groups(of model: ObjectModel) -> [Group] {
        let roots = Set(model.layouts.map(\.rootIndex)).sorted()
        var targets: [Int: Set<Int>] = [:]
        for layout in model.layouts {
            for property in layout.properties where !property.columns.isEmpty {
                guard let relationship = property.relationship else { continue }
                targets[layout.rootIndex, default: []].insert(
                    model.layouts[relationship.destinationIndex].rootIndex)
            }
        }
        var search = ComponentSearch(targets.mapValues { $0.sorted() })
        for root in roots { search.visit(root) }
        return search.components.map { component in
            let isCircular = component.count > 1 || targets[component[0]]?.contains(component[0]) == true
            return Group(roots: component.sorted(), isCircular: isCircular)
        }
    }

    /// Sorts objects topologically.
    ///
    /// - Parameter references: The objects among these that each object refers to.
    /// - Returns: The sorted objects, and those that are in cycles or refer to objects in cycles.
    static func order<Object: Hashable>(
        _ objects: [Object], _ references: [Object: [Object]]
    ) -> (ordered: [Object], circular: [Object]) {
        var waiting: [Object: Int] = [:]
        var dependents: [Object: [Object]] = [:]
        for object in objects {
            let needed = references[object] ?? []
            waiting[object] = needed.count
            for target in needed { dependents[target, default: []].append(object) }
        }
        var ordered = objects.filter { waiting[$0] == 0 }
        var next = 0
        while next < ordered.count {
            for dependent in dependents[ordered[next]] ?? [] {
                let left = (waiting[dependent] ?? 0) - 1
                waiting[dependent] = left
                if left == 0 { ordered.append(dependent) }
            }
            next += 1
        }
        let done = Set(ordered)
        return (ordered, objects.filter { !done.contains($0) })
    }

    /// Groups objects into cycles, each after the objects that it refers to; an object outside of cycles forms a group alone.
    ///
    /// - Parameters:
    ///   - objects: The second result of ``order(_:_:)``.
    ///   - references: The objects that each object refers to; others than the given ones are ignored.
    static func components<Object: Hashable>(
        of objects: [Object], _ references: [Object: [Object]]
    ) -> [[Object]] {
        let known = Set(objects)
        var targets: [Object: [Object]] = [:]
        for object in objects { targets[object] = (references[object] ?? []).filter(known.contains) }
        var search = ComponentSearch(targets)
        for object in objects { search.visit(object) }
        return search.components
    }
}

/// Finds the strongly connected components with Tarjan's algorithm, in dependency order.
private struct ComponentSearch<Node: Hashable> {
    private let targets: [Node: [Node]]
    private var numbers: [Node: Int] = [:]
    private var lowest: [Node: Int] = [:]
    private var stack: [Node] = []
    private var isOnStack: Set<Node> = []
    private(set) var components: [[Node]] = []

    init(_ targets: [Node: [Node]]) { self.targets = targets }

    mutating func visit(_ node: Node) {
        if numbers[node] != nil { return }
        var path: [(node: Node, rest: [Node])] = [(node, enter(node))]
        while let (current, rest) = path.last {
            guard let target = rest.last else {
                path.removeLast()
                finish(current)
                if let parent = path.last?.node { lower(parent, to: lowest[current]) }
                continue
            }
            path[path.count - 1].rest.removeLast()
            if numbers[target] == nil {
                path.append((target, enter(target)))
            } else if isOnStack.contains(target) {
                lower(current, to: numbers[target])
            }
        }
    }

    /// Numbers a node, and returns the nodes that it refers to, the first one last.
    private mutating func enter(_ node: Node) -> [Node] {
        let number = numbers.count
        numbers[node] = number
        lowest[node] = number
        stack.append(node)
        isOnStack.insert(node)
        return (targets[node] ?? []).reversed()
    }

    private mutating func lower(_ node: Node, to number: Int?) {
        if let number, let own = lowest[node] { lowest[node] = min(own, number) }
    }

    private mutating func finish(_ node: Node) {
        guard lowest[node] == numbers[node] else { return }
        var component: [Node] = []
        while let top = stack.popLast() {
            isOnStack.remove(top)
            component.append(top)
            if top == node { break }
        }
        components.append(component)
    }
}

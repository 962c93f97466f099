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
        var search = ComponentSearch(targets)
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
}

/// Finds the strongly connected components with Tarjan's algorithm, in dependency order.
private struct ComponentSearch {
    private let targets: [Int: Set<Int>]
    private var numbers: [Int: Int] = [:]
    private var lowest: [Int: Int] = [:]
    private var stack: [Int] = []
    private var isOnStack: Set<Int> = []
    private(set) var components: [[Int]] = []

    init(_ targets: [Int: Set<Int>]) { self.targets = targets }

    mutating func visit(_ node: Int) {
        if numbers[node] != nil { return }
        var path: [(node: Int, rest: [Int])] = [(node, enter(node))]
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

    private mutating func enter(_ node: Int) -> [Int] {
        numbers[node] = numbers.count
        lowest[node] = numbers[node]
        stack.append(node)
        isOnStack.insert(node)
        return (targets[node] ?? []).sorted(by: >)
    }

    private mutating func lower(_ node: Int, to number: Int?) {
        if let number, let own = lowest[node] { lowest[node] = min(own, number) }
    }

    private mutating func finish(_ node: Int) {
        guard lowest[node] == numbers[node] else { return }
        var component: [Int] = []
        while let top = stack.popLast() {
            isOnStack.remove(top)
            component.append(top)
            if top == node { break }
        }
        components.append(component)
    }
}

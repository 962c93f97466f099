import ContextCore

/// Decides in which order objects are copied, so that what is referred to is there before what refers to it.
///
/// It is worked out for inheritance trees first. Only where trees refer to each other in circles, or to themselves, are single
/// objects put in order; those that refer to each other in a circle must be written at once.
enum CopyOrder {
    /// Trees that are copied together.
    struct Group: Equatable {
        /// The positions in the model of the trees' uppermost entities.
        let roots: [Int]
        /// Whether they refer to each other, or to themselves.
        let isCircular: Bool
    }

    /// The trees of a model, those that are referred to first.
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

    /// Puts single objects in order.
    ///
    /// - Parameter references: What each object refers to among them.
    /// - Returns: The objects in order, and those that are in circles or depend on such.
    static func order<Object: Hashable>(
        _ objects: [Object], _ references: [Object: [Object]]
    ) -> (ordered: [Object], circular: [Object]) {
        var waiting: [Object: Int] = [:]
        var dependants: [Object: [Object]] = [:]
        for object in objects {
            let needed = references[object] ?? []
            waiting[object] = needed.count
            for target in needed { dependants[target, default: []].append(object) }
        }
        var ordered = objects.filter { waiting[$0] == 0 }
        var next = 0
        while next < ordered.count {
            for dependant in dependants[ordered[next]] ?? [] {
                let left = (waiting[dependant] ?? 0) - 1
                waiting[dependant] = left
                if left == 0 { ordered.append(dependant) }
            }
            next += 1
        }
        let done = Set(ordered)
        return (ordered, objects.filter { !done.contains($0) })
    }
}

/// Finds what refers to each other in circles (Tarjan's algorithm); what is referred to comes first.
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
        var path: [(node: Int, rest: [Int])] = [(node, begin(node))]
        while let (current, rest) = path.last {
            guard let target = rest.last else {
                path.removeLast()
                finish(current)
                if let parent = path.last?.node { lower(parent, to: lowest[current]) }
                continue
            }
            path[path.count - 1].rest.removeLast()
            if numbers[target] == nil {
                path.append((target, begin(target)))
            } else if isOnStack.contains(target) {
                lower(current, to: numbers[target])
            }
        }
    }

    private mutating func begin(_ node: Int) -> [Int] {
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

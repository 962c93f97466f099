/// An element with a position in a sort order.
protocol RankedElement: Equatable, Sendable {
    /// Whether this element is sorted before another.
    ///
    /// If neither precedes the other, both have the same sort position, though they need not be equal.
    func precedes(_ other: Self) -> Bool
}

/// A sorted collection with fast ranks, as a persistent B-tree.
///
/// A copy is O(1), because copies share nodes, and a change copies one path from the root to a leaf. So older versions stay available, and
/// comparing two versions skips the nodes that they share.
///
/// The elements are in the leaves, which all have the same depth. An inner node stores the number of elements of its subtree, and a
/// *separator* for each child: no element of the child precedes it, and all elements before the child do.
struct RankedTree<Element: RankedElement>: Sendable {
    private(set) var root = Node()

    /// Creates an empty tree.
    init() {}

    /// Creates a tree of sorted elements, each with a different sort position.
    init(sorted elements: [Element]) { root = Node.tree(of: elements) }

    /// The number of elements.
    var count: Int { root.count }

    /// The element with a rank.
    subscript(rank: Int) -> Element {
        var node = root
        var rank = rank
        while !node.isLeaf {
            let index = node.childIndex(atRank: &rank)
            node = node.children[index]
        }
        return node.elements[rank]
    }

    /// Returns the number of elements that precede a sort position, whether or not it has an element.
    func rank(of position: Element) -> Int {
        var node = root
        var rank = 0
        while !node.isLeaf {
            let index = node.childIndex(of: position)
            for child in node.children[..<index] { rank += child.count }
            node = node.children[index]
        }
        return rank + node.lowerBound(of: position)
    }

    /// Returns the element at a sort position; nil if there is none.
    func element(at position: Element) -> Element? {
        var node = root
        while !node.isLeaf { node = node.children[node.childIndex(of: position)] }
        let index = node.lowerBound(of: position)
        guard index < node.elements.count, !position.precedes(node.elements[index]) else { return nil }
        return node.elements[index]
    }

    /// Inserts an element, replacing an element with the same sort position.
    mutating func insert(_ element: Element) {
        if let right = Node.insert(element, into: &root).split { root = Node(left: root, right: right) }
    }

    /// Removes the element at a sort position, if there is one.
    mutating func remove(_ position: Element) {
        // Looked up first, because a removal copies the nodes on its path.
        guard element(at: position) != nil else { return }
        Node.remove(position, from: &root)
        while !root.isLeaf, root.children.count == 1 { root = root.children[0] }
    }

    /// Returns the elements in a range of ranks, in order.
    func elements(in range: Range<Int>) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(range.count)
        root.append(range, to: &elements)
        return elements
    }

    /// All elements, in order.
    var elements: [Element] { elements(in: 0..<count) }
}

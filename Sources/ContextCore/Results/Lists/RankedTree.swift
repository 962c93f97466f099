/// Something that has its place among others of its kind.
protocol RankedElement: Equatable, Sendable {
    /// Whether this one's place comes before another's.
    ///
    /// Where neither precedes the other both stand in the same place, though they need not be equal.
    func precedes(_ other: Self) -> Bool
}

/// Elements in order, each of which knows how many precede it.
///
/// Copies share what they have in common: a copy costs nothing, and a change one path from the root to a leaf, whatever the size. So
/// an older list stays at hand, and what differs is found without looking at what is shared.
///
/// It is a B-tree that keeps its elements in the leaves, all equally deep. An inner node counts what is below it, and keeps a
/// *separator* for each child: nothing in the child precedes it, and everything before the child does.
struct RankedTree<Element: RankedElement>: Sendable {
    private(set) var root = Node()

    /// Makes an empty tree.
    init() {}

    /// Makes a tree of elements that are in order already, each place taken once.
    init(sorted elements: [Element]) { root = Node.tree(of: elements) }

    /// How many elements there are.
    var count: Int { root.count }

    /// The element that so many precede.
    subscript(rank: Int) -> Element {
        var node = root
        var rank = rank
        while !node.isLeaf {
            let index = node.childIndex(atRank: &rank)
            node = node.children[index]
        }
        return node.elements[rank]
    }

    /// How many elements precede a place, whether or not anything stands there.
    func rank(of place: Element) -> Int {
        var node = root
        var rank = 0
        while !node.isLeaf {
            let index = node.childIndex(of: place)
            for child in node.children[..<index] { rank += child.count }
            node = node.children[index]
        }
        return rank + node.lowerBound(of: place)
    }

    /// What stands in a place.
    func element(at place: Element) -> Element? {
        var node = root
        while !node.isLeaf { node = node.children[node.childIndex(of: place)] }
        let index = node.lowerBound(of: place)
        guard index < node.elements.count, !place.precedes(node.elements[index]) else { return nil }
        return node.elements[index]
    }

    /// Lets an element in, instead of the one in its place if there is one.
    mutating func insert(_ element: Element) {
        if let right = Node.insert(element, into: &root).split { root = Node(left: root, right: right) }
    }

    /// Takes out what stands in a place, if anything does.
    mutating func remove(_ place: Element) {
        // Looked up first, since a removal copies what it passes.
        guard element(at: place) != nil else { return }
        Node.remove(place, from: &root)
        while !root.isLeaf, root.children.count == 1 { root = root.children[0] }
    }

    /// The elements of a range of ranks, in order.
    func elements(in range: Range<Int>) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(range.count)
        root.append(range, to: &elements)
        return elements
    }

    /// All elements, in order.
    var elements: [Element] { elements(in: 0..<count) }
}

/// The differences between two versions of a tree.
struct TreeChanges<Element: RankedElement> {
    /// An element and its rank in its tree.
    struct Entry {
        let element: Element
        let rank: Int
    }

    /// The elements that are only in the old tree.
    private(set) var removed: [Entry] = []
    /// The elements that are only in the new tree.
    private(set) var added: [Entry] = []
    /// The elements of the new tree that differ from the element with the same sort position in the old tree.
    private(set) var replaced: [Entry] = []

    /// Whether the trees are equal.
    var isEmpty: Bool { removed.isEmpty && added.isEmpty && replaced.isEmpty }

    /// Returns the number of entries of a sorted list that precede an element.
    static func count(_ entries: [Entry], before position: Element) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].element.precedes(position) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Compares two trees without visiting the nodes that they share.
    init(from old: RankedTree<Element>, to new: RankedTree<Element>) {
        var left = TreeCursor(old)
        var right = TreeCursor(new)
        while true {
            if TreeCursor.skipShared(&left, &right) { continue }
            switch (left.element, right.element) {
            case (nil, nil): return
            case (let before?, let after?):
                if before.precedes(after) {
                    removed.append(left.consume(before))
                } else if after.precedes(before) {
                    added.append(right.consume(after))
                } else {
                    if before != after { replaced.append(Entry(element: after, rank: right.rank)) }
                    left.advance()
                    right.advance()
                }
            case (let before?, nil): removed.append(left.consume(before))
            case (nil, let after?): added.append(right.consume(after))
            }
        }
    }
}

/// A position in a tree during the comparison.
private struct TreeCursor<Element: RankedElement> {
    private typealias Node = RankedTree<Element>.Node

    /// The nodes from the root to a leaf, with the index in each.
    private var path: [(node: Node, index: Int)] = []
    /// The number of elements passed so far.
    private(set) var rank = 0

    init(_ tree: RankedTree<Element>) {
        path = [(tree.root, 0)]
        descend()
    }

    var element: Element? { path.last.map { $0.node.elements[$0.index] } }

    mutating func consume(_ element: Element) -> TreeChanges<Element>.Entry {
        defer { advance() }
        return TreeChanges.Entry(element: element, rank: rank)
    }

    mutating func advance() {
        rank += 1
        path[path.count - 1].index += 1
        if let last = path.last, last.index >= last.node.elements.count { advancePast(1) }
    }

    /// Moves both cursors past the largest shared node that starts at their positions; returns false if there is none.
    static func skipShared(_ left: inout TreeCursor, _ right: inout TreeCursor) -> Bool {
        let height = min(left.freshHeight, right.freshHeight)
        for level in stride(from: height, to: 0, by: -1) {
            let node = left.path[left.path.count - level].node
            guard node === right.path[right.path.count - level].node else { continue }
            left.pass(level, node.count)
            right.pass(level, node.count)
            return true
        }
        return false
    }

    /// The number of nodes on the path, counted from the leaf, that start at the cursor's position.
    private var freshHeight: Int { path.reversed().prefix { $0.index == 0 }.count }

    private mutating func pass(_ level: Int, _ count: Int) {
        rank += count
        advancePast(level)
    }

    /// Moves past the node that is `level` nodes above the end of the path.
    private mutating func advancePast(_ level: Int) {
        path.removeLast(level)
        while let last = path.last {
            path[path.count - 1].index += 1
            if last.index + 1 < last.node.children.count { return descend() }
            path.removeLast()
        }
    }

    private mutating func descend() {
        while let last = path.last, !last.node.isLeaf { path.append((last.node.children[last.index], 0)) }
        if path.last?.node.elements.isEmpty == true { path = [] }
    }
}

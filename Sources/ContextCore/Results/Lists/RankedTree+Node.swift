extension RankedTree {
    /// A node of the tree; a leaf has elements, an inner node separators and children.
    // @unchecked: a node is mutated only if it and all its ancestors are uniquely referenced.
    final class Node: @unchecked Sendable {
        /// The maximum number of elements or children of a node.
        static var capacity: Int { 32 }

        /// A leaf's elements; an inner node's separators, the first of which is unused.
        fileprivate(set) var elements: ContiguousArray<Element>
        fileprivate(set) var children: ContiguousArray<Node>
        /// The number of elements in the subtree of the node.
        fileprivate(set) var count: Int

        init(
            elements: ContiguousArray<Element> = [], children: ContiguousArray<Node> = [], count: Int = 0
        ) {
            self.elements = elements
            self.children = children
            self.count = count
        }

        /// Creates an inner node.
        init(left: Node, right: Node) {
            elements = [left.elements[0], right.elements[0]]
            children = [left, right]
            count = left.count + right.count
        }

        var isLeaf: Bool { children.isEmpty }

        /// Returns the index of the first element that doesn't precede a sort position.
        func lowerBound(of position: Element) -> Int {
            var low = 0
            var high = elements.count
            while low < high {
                let middle = (low + high) / 2
                if elements[middle].precedes(position) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// Returns the index of the child whose range contains a sort position.
        func childIndex(of position: Element) -> Int {
            var low = 1
            var high = elements.count
            while low < high {
                let middle = (low + high) / 2
                if position.precedes(elements[middle]) { high = middle } else { low = middle + 1 }
            }
            return low - 1
        }

        /// Returns the index of the child that contains the element with a rank, and replaces the rank by the rank in that child.
        func childIndex(atRank rank: inout Int) -> Int {
            var index = 0
            while rank >= children[index].count {
                rank -= children[index].count
                index += 1
            }
            return index
        }

        /// Appends the elements in a range of ranks to a list.
        func append(_ range: Range<Int>, to list: inout [Element]) {
            if isLeaf { return list.append(contentsOf: elements[range]) }
            var start = 0
            for child in children {
                let wanted = range.clamped(to: start..<start + child.count)
                if !wanted.isEmpty {
                    child.append(wanted.lowerBound - start..<wanted.upperBound - start, to: &list)
                }
                start += child.count
            }
        }
    }
}

// MARK: - Changing

extension RankedTree.Node {
    private static func copyIfShared(_ node: inout RankedTree.Node) {
        if isKnownUniquelyReferenced(&node) { return }
        node = RankedTree.Node(elements: node.elements, children: node.children, count: node.count)
    }

    /// Creates a tree of sorted elements.
    static func tree(of elements: [Element]) -> RankedTree.Node {
        var nodes = pieces(elements.count).map { range in
            RankedTree.Node(elements: ContiguousArray(elements[range]), count: range.count)
        }
        while nodes.count > 1 {
            nodes = pieces(nodes.count).map { range in
                let children = ContiguousArray(nodes[range])
                return RankedTree.Node(
                    elements: ContiguousArray(children.map { $0.elements[0] }), children: children,
                    count: children.reduce(0) { $0 + $1.count })
            }
        }
        return nodes.first ?? RankedTree.Node()
    }

    /// Returns ranges of about equal size, each of which fills at most three quarters of a node.
    private static func pieces(_ count: Int) -> [Range<Int>] {
        let size = capacity * 3 / 4
        let pieceCount = (count + size - 1) / size
        return (0..<pieceCount).map { count * $0 / pieceCount..<count * ($0 + 1) / pieceCount }
    }

    /// Inserts an element into a subtree.
    ///
    /// - Returns: The number of added elements, and the new right sibling if the node was split.
    static func insert(_ element: Element, into node: inout RankedTree.Node) -> (
        growth: Int, split: RankedTree.Node?
    ) {
        copyIfShared(&node)
        if !node.isLeaf {
            let index = node.childIndex(of: element)
            let (growth, split) = insert(element, into: &node.children[index])
            node.count += growth
            guard let split else { return (growth, nil) }
            node.elements.insert(split.elements[0], at: index + 1)
            node.children.insert(split, at: index + 1)
            return (growth, node.splitIfFull())
        }
        let index = node.lowerBound(of: element)
        if index < node.elements.count, !element.precedes(node.elements[index]) {
            node.elements[index] = element
            return (0, nil)
        }
        node.elements.insert(element, at: index)
        node.count += 1
        return (1, node.splitIfFull())
    }

    private func splitIfFull() -> RankedTree.Node? {
        guard elements.count > Self.capacity else { return nil }
        let cut = elements.count / 2
        let right = RankedTree.Node(
            elements: ContiguousArray(elements[cut...]),
            children: isLeaf ? [] : ContiguousArray(children[cut...]))
        elements.removeSubrange(cut...)
        if !isLeaf { children.removeSubrange(cut...) }
        right.count = right.isLeaf ? right.elements.count : right.children.reduce(0) { $0 + $1.count }
        count -= right.count
        return right
    }

    /// Removes the element at a sort position, which must exist.
    static func remove(_ position: Element, from node: inout RankedTree.Node) {
        copyIfShared(&node)
        node.count -= 1
        if node.isLeaf {
            node.elements.remove(at: node.lowerBound(of: position))
            return
        }
        let index = node.childIndex(of: position)
        remove(position, from: &node.children[index])
        if node.children[index].elements.isEmpty {
            node.elements.remove(at: index)
            node.children.remove(at: index)
        } else if node.children[index].elements.count < Self.capacity / 4, node.children.count > 1 {
            node.merge(max(index, 1))
        }
    }

    /// Merges a child into its left sibling if both fit into one node.
    private func merge(_ index: Int) {
        let right = children[index]
        guard children[index - 1].elements.count + right.elements.count <= Self.capacity * 3 / 4 else {
            return
        }
        Self.copyIfShared(&children[index - 1])
        let left = children[index - 1]
        left.elements += right.elements
        // The right node's first separator may be greater than its first element; the separator in its parent never is.
        if !right.isLeaf { left.elements[left.elements.count - right.elements.count] = elements[index] }
        left.children += right.children
        left.count += right.count
        elements.remove(at: index)
        children.remove(at: index)
    }
}

// MARK: - Checking

extension RankedTree {
    /// Returns a description of a violated invariant; nil if the tree is valid.
    func invariantViolation() -> String? {
        let all = elements
        if zip(all, all.dropFirst()).contains(where: { !$0.precedes($1) }) { return "elements out of order" }
        if all.count != count { return "\(all.count) elements are counted as \(count)" }
        return root.depth(isRoot: true) == nil ? "the tree is out of shape" : nil
    }
}

extension RankedTree.Node {
    /// Returns the depth of the subtree; nil if its leaves differ in depth, or a count or separator is wrong.
    fileprivate func depth(isRoot: Bool = false) -> Int? {
        if elements.count > Self.capacity || (elements.isEmpty && !isRoot) { return nil }
        if isLeaf { return count == elements.count ? 1 : nil }
        guard elements.count == children.count, count == children.reduce(0, { $0 + $1.count }) else {
            return nil
        }
        for (separator, (left, right)) in zip(elements.dropFirst(), zip(children, children.dropFirst())) {
            guard let before = left.last, let after = right.first, before.precedes(separator),
                !after.precedes(separator)
            else { return nil }
        }
        let depths = Set(children.map { $0.depth() })
        guard depths.count == 1, case let depth?? = depths.first else { return nil }
        return depth + 1
    }

    private var first: Element? { isLeaf ? elements.first : children.first?.first }
    private var last: Element? { isLeaf ? elements.last : children.last?.last }
}

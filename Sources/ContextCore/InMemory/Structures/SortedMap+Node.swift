extension SortedMap {
    /// A node of the tree; a leaf has values, an inner node has children.
    // @unchecked: a node is mutated only if it and all its ancestors are uniquely referenced.
    final class Node: @unchecked Sendable {
        /// The maximum number of keys in a node.
        static var capacity: Int { 64 }

        /// The keys of a leaf, or the separators of an inner node, the first of which is unused.
        fileprivate(set) var keys: ContiguousArray<Key> = []
        fileprivate(set) var values: ContiguousArray<Value> = []
        fileprivate(set) var children: ContiguousArray<Node> = []

        init() {}

        /// Makes an inner node.
        init(left: Node, right: Node) {
            keys = [left.keys[0], right.keys[0]]
            children = [left, right]
        }

        private init(
            keys: ContiguousArray<Key>, values: ContiguousArray<Value>, children: ContiguousArray<Node>
        ) {
            self.keys = keys
            self.values = values
            self.children = children
        }

        var isLeaf: Bool { children.isEmpty }

        /// Returns the index of the first key that is greater than or equal to a key.
        @inline(__always)
        func lowerBound(of key: Key) -> Int {
            var low = 0
            var high = keys.count
            while low < high {
                let middle = (low &+ high) &>> 1
                if keys[middle] < key { low = middle &+ 1 } else { high = middle }
            }
            return low
        }

        /// Returns the index of the child whose range contains a key.
        @inline(__always)
        func childIndex(of key: Key) -> Int {
            var low = 1
            var high = keys.count
            while low < high {
                let middle = (low &+ high) &>> 1
                if key < keys[middle] { high = middle } else { low = middle &+ 1 }
            }
            return low &- 1
        }

        func forEach(from start: Key?, _ body: (Key, Value) throws -> Bool) rethrows -> Bool {
            if isLeaf {
                for index in (start.map { lowerBound(of: $0) } ?? 0)..<keys.count {
                    guard try body(keys[index], values[index]) else { return false }
                }
                return true
            }
            let first = start.map { childIndex(of: $0) } ?? 0
            for index in first..<children.count {
                guard try children[index].forEach(from: index == first ? start : nil, body) else {
                    return false
                }
            }
            return true
        }
    }
}

// MARK: - Changing

extension SortedMap.Node {
    @inline(__always)
    private static func copyIfShared(_ node: inout SortedMap.Node) {
        if isKnownUniquelyReferenced(&node) { return }
        node = SortedMap.Node(keys: node.keys, values: node.values, children: node.children)
    }

    /// Sets a value in a subtree.
    ///
    /// - Returns: The old value, and the new right sibling of the node if it was split.
    static func update(_ node: inout SortedMap.Node, _ key: Key, _ value: Value) -> (
        old: Value?, split: SortedMap.Node?
    ) {
        copyIfShared(&node)
        if !node.isLeaf {
            let index = node.childIndex(of: key)
            let (old, split) = update(&node.children[index], key, value)
            guard let split else { return (old, nil) }
            node.keys.insert(split.keys[0], at: index + 1)
            node.children.insert(split, at: index + 1)
            return (old, node.splitIfFull(inserted: index + 1))
        }
        let index = node.lowerBound(of: key)
        if index < node.keys.count, node.keys[index] == key {
            let old = node.values[index]
            node.values[index] = value
            return (old, nil)
        }
        node.keys.insert(key, at: index)
        node.values.insert(value, at: index)
        return (nil, node.splitIfFull(inserted: index))
    }

    /// Splits an overfull node in the middle, or at its end after an insertion there, so that ascending insertions fill the nodes.
    private func splitIfFull(inserted: Int) -> SortedMap.Node? {
        guard keys.count > Self.capacity else { return nil }
        let cut = inserted == keys.count - 1 ? inserted : keys.count / 2
        let right = SortedMap.Node(
            keys: ContiguousArray(keys[cut...]),
            values: isLeaf ? ContiguousArray(values[cut...]) : [],
            children: isLeaf ? [] : ContiguousArray(children[cut...]))
        keys.removeSubrange(cut...)
        if isLeaf { values.removeSubrange(cut...) } else { children.removeSubrange(cut...) }
        return right
    }

    /// Removes a key, which must exist.
    static func remove(_ node: inout SortedMap.Node, _ key: Key) {
        copyIfShared(&node)
        if node.isLeaf {
            let index = node.lowerBound(of: key)
            node.keys.remove(at: index)
            node.values.remove(at: index)
            return
        }
        let index = node.childIndex(of: key)
        remove(&node.children[index], key)
        if node.children[index].keys.isEmpty {
            node.keys.remove(at: index)
            node.children.remove(at: index)
        } else if node.children[index].keys.count < Self.capacity / 4, node.children.count > 1 {
            node.merge(max(index, 1))
        }
    }

    /// Merges a child into its left sibling if both fit into one node.
    private func merge(_ index: Int) {
        let right = children[index]
        guard children[index - 1].keys.count + right.keys.count <= Self.capacity * 3 / 4 else { return }
        Self.copyIfShared(&children[index - 1])
        let left = children[index - 1]
        left.keys += right.keys
        // The parent's separator is a valid lower bound of the right node's keys; the right node's first separator may not be.
        if !right.isLeaf { left.keys[left.keys.count - right.keys.count] = keys[index] }
        left.values += right.values
        left.children += right.children
        keys.remove(at: index)
        children.remove(at: index)
    }
}

// MARK: - Checking

extension SortedMap {
    /// Returns a description of a violated invariant; nil if the tree is valid.
    func invariantViolation() -> String? {
        var total = 0
        var last: Key?
        var isSorted = true
        forEach { key, _ in
            if let last, !(last < key) { isSorted = false }
            last = key
            total += 1
            return true
        }
        if !isSorted { return "keys are out of order" }
        if total != count { return "\(total) keys are counted as \(count)" }
        return root.depth(least: nil, below: nil, isRoot: true) == nil ? "the tree is out of shape" : nil
    }
}

extension SortedMap.Node {
    /// Returns the depth of the subtree; nil if it is not uniform or keys are out of bounds.
    fileprivate func depth(least: Key?, below: Key?, isRoot: Bool = false) -> Int? {
        if keys.count > Self.capacity || (keys.isEmpty && !isRoot) { return nil }
        if isLeaf {
            if let least, let first = keys.first, first < least { return nil }
            if let below, let last = keys.last, !(last < below) { return nil }
            return keys.count == values.count ? 1 : nil
        }
        guard keys.count == children.count, values.isEmpty else { return nil }
        var depths: Set<Int?> = []
        for (index, child) in children.enumerated() {
            depths.insert(
                child.depth(
                    least: index == 0 ? least : keys[index],
                    below: index + 1 < keys.count ? keys[index + 1] : below))
        }
        guard depths.count == 1, case let depth?? = depths.first else { return nil }
        return depth + 1
    }
}

/// A persistent sorted map: copies share unchanged nodes.
///
/// A copy takes constant time, and a change copies one path from the root to a leaf. So a snapshot of a store is a copy, and a
/// rollback restores one.
///
/// It is a B+ tree, with the values in the leaves. An inner node has a *separator* before each child except the first: no key of
/// the child is less than it, and all keys before the child are.
struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    private(set) var root = Node()
    /// The number of keys.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Accesses the value of a key; setting nil removes the key.
    subscript(key: Key) -> Value? {
        get {
            var node = root
            while !node.isLeaf { node = node.children[node.childIndex(of: key)] }
            let index = node.lowerBound(of: key)
            return index < node.keys.count && node.keys[index] == key ? node.values[index] : nil
        }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
        }
    }

    /// Sets the value of a key and returns the old one.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let (old, split) = Node.update(&root, key, value)
        if let split { root = Node(left: root, right: split) }
        if old == nil { count += 1 }
        return old
    }

    /// Removes a key and returns its value.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        // Looks the key up first, because a removal copies the nodes on its path.
        guard let old = self[key] else { return nil }
        Node.remove(&root, key)
        count -= 1
        while !root.isLeaf, root.children.count == 1 { root = root.children[0] }
        return old
    }
}

// MARK: - Walking

extension SortedMap {
    /// Calls a closure with each key and value in order until it returns false.
    ///
    /// - Parameter start: The first key to visit, whether or not it exists; nil for all keys.
    /// - Returns: Whether the end was reached.
    @discardableResult
    func forEach(from start: Key? = nil, _ body: (Key, Value) throws -> Bool) rethrows -> Bool {
        try root.forEach(from: start, body)
    }

    /// Returns the first key that is greater than or equal to another, and its value.
    func first(from start: Key) -> (key: Key, value: Value)? {
        var found: (Key, Value)?
        forEach(from: start) { key, value in
            found = (key, value)
            return false
        }
        return found
    }
}

/// A sorted map whose copies share what they have in common.
///
/// Copying costs nothing, and a change costs one path from the root to a leaf, whatever the size. So a snapshot of a store is a
/// copy, and undoing is going back to one.
///
/// It is a B-tree that keeps its values in the leaves. An inner node keeps a *separator* before each child but the first: no key
/// of the child is less, and every key before it is.
struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    private(set) var root = Node()
    /// How many keys there are.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The value of a key; setting nil takes the key out.
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

    /// Sets the value of a key, and returns the one that it had.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let (old, split) = Node.update(&root, key, value)
        if let split { root = Node(left: root, right: split) }
        if old == nil { count += 1 }
        return old
    }

    /// Takes a key out, and returns the value that it had.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        // Looked up first, since a removal copies what it passes.
        guard let old = self[key] else { return nil }
        Node.remove(&root, key)
        count -= 1
        while !root.isLeaf, root.children.count == 1 { root = root.children[0] }
        return old
    }
}

// MARK: - Walking

extension SortedMap {
    /// Visits the keys from one on, or all of them, in order, until the body returns false.
    ///
    /// Returns whether the end was reached.
    @discardableResult
    func forEach(from start: Key? = nil, _ body: (Key, Value) throws -> Bool) rethrows -> Bool {
        try root.forEach(from: start, body)
    }

    /// The first key that is no less than another, and its value.
    func first(from start: Key) -> (key: Key, value: Value)? {
        var found: (Key, Value)?
        forEach(from: start) { key, value in
            found = (key, value)
            return false
        }
        return found
    }
}

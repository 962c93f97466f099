/// The keys of orphan faults, in the order of their creation.
///
/// An orphan fault was created from an identifier, not from the result of a fetch. The list is not updated when such a
/// fault is released or filled, so callers pass a filter.
struct OrphanFaults {
    /// The only key, as in a block that looks up one object.
    private var single: Int64?
    private var keys: [Int64] = []
    /// The index of the first key that has not been removed.
    private var first = 0
    /// The number of keys at which the keys that the filter rejects are removed.
    private var pruneThreshold = 4096

    mutating func append(_ key: Int64, where isWanted: (Int64) -> Bool) {
        if let earlier = single.take() {
            keys.append(earlier)
        } else if keys.isEmpty {
            return single = key
        }
        if keys.count >= pruneThreshold {
            keys = keys[first...].filter(isWanted)
            first = 0
            pruneThreshold = max(4096, keys.count * 2)
        }
        keys.append(key)
    }

    /// Removes and returns the oldest keys that are still wanted, at most `count`.
    ///
    /// Each key is checked once, so loading faults one by one costs no more than creating them.
    mutating func removeFirst(atMost count: Int, where isWanted: (Int64) -> Bool) -> [Int64] {
        if let key = single.take() { return isWanted(key) ? [key] : [] }
        var removed: [Int64] = []
        while first < keys.count, removed.count < count {
            if isWanted(keys[first]) { removed.append(keys[first]) }
            first += 1
        }
        if first == keys.count {
            keys.removeAll(keepingCapacity: first < 1024)
            first = 0
        }
        return removed
    }
}

/// Finds rows by key in one or several groups; if several groups have a row of the key, it finds that of the newest
/// group.
///
/// Keys are mostly looked up in the order of the rows. The first lookup out of order builds a hash table of all groups, which contains
/// no pointers.
final class RowIndex {
    /// The hash table: the group's number in the upper half, the row in the lower half.
    private var buckets: [UInt64] = []
    private(set) var groups: [RowGroup] = []
    private var rowCount = 0
    /// The number of groups in the hash table.
    private var indexedGroupCount = 0
    /// The last position in the newest group.
    private(set) var cursor: RowCursor?

    private static let emptyBucket = UInt64.max

    subscript(key: Int64) -> (RowGroup, Int32)? {
        if let row = cursor?.next(key) { return cursor.map { ($0.group, row) } }
        guard let (number, row) = find(key) else { return nil }
        if number == groups.count - 1 { cursor?.row = Int(row) }
        return (groups[number], row)
    }

    func add(_ group: RowGroup) {
        groups.append(group)
        rowCount += group.batch.count
        cursor = RowCursor(group: group)
    }

    /// Moves the cursor to where the caller has advanced it, unless another group was added meanwhile.
    func advanceCursor(to found: RowCursor) {
        if found.group === groups.last { cursor = found }
    }

    // MARK: Hash table

    private func find(_ key: Int64) -> (number: Int, row: Int32)? {
        indexPendingGroups()
        if buckets.isEmpty { return nil }
        var index = home(key)
        while buckets[index] != Self.emptyBucket {
            if self.key(at: index) == key { return resolve(buckets[index]) }
            index = (index &+ 1) & (buckets.count &- 1)
        }
        return nil
    }

    private func indexPendingGroups() {
        guard indexedGroupCount < groups.count else { return }
        if rowCount * 2 > buckets.count {
            var size = max(16, buckets.count)
            while size < rowCount * 2 { size *= 2 }
            buckets = Array(repeating: Self.emptyBucket, count: size)
            indexedGroupCount = 0
        }
        for number in indexedGroupCount..<groups.count { indexRows(number) }
        indexedGroupCount = groups.count
    }

    private func indexRows(_ number: Int) {
        let batch = groups[number].batch
        for row in 0..<batch.count {
            let key = batch.key(at: row)
            var index = home(key)
            while buckets[index] != Self.emptyBucket, self.key(at: index) != key {
                index = (index &+ 1) & (buckets.count &- 1)
            }
            buckets[index] = UInt64(number) << 32 | UInt64(row)
        }
    }

    private func key(at index: Int) -> Int64 {
        let (number, row) = resolve(buckets[index])
        return groups[number].batch.key(at: Int(row))
    }

    @inline(__always)
    private func resolve(_ place: UInt64) -> (number: Int, row: Int32) {
        (Int(place >> 32), Int32(truncatingIfNeeded: place))
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int { KeyHash.home(of: key, mask: buckets.count &- 1) }
}

/// Iterates over the rows of a group.
struct RowCursor {
    let group: RowGroup
    /// The row that was found last.
    var row = -1

    /// Returns the next row if it has the given key.
    @inline(__always)
    mutating func next(_ key: Int64) -> Int32? {
        guard row + 1 < group.batch.count, group.batch.key(at: row + 1) == key else { return nil }
        row += 1
        return Int32(row)
    }
}

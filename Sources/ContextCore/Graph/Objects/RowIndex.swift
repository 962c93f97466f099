/// Finds rows by key, in one group or several: the row that came last.
///
/// One hash table for all groups, however many there are; it has no pointer in it.
struct RowIndex {
    /// Where a row is: the group's number above, the row's below.
    private var places: [UInt64] = []
    private var groups: [RowGroup] = []
    private var rowCount = 0

    private static let nowhere = UInt64.max

    /// Finds a row, looking first behind the one that was found last: rows are mostly asked for as they follow each other.
    func row(_ key: Int64, after last: (RowGroup, Int32)?) -> (RowGroup, Int32)? {
        if let (group, row) = last, group === groups.last, Int(row) + 1 < group.batch.count,
            group.batch.key(at: Int(row) + 1) == key
        {
            return (group, row + 1)
        }
        return self[key]
    }

    subscript(key: Int64) -> (RowGroup, Int32)? {
        if places.isEmpty { return nil }
        var index = home(key)
        while places[index] != Self.nowhere {
            let (group, row) = resolve(places[index])
            if group.batch.key(at: Int(row)) == key { return (group, row) }
            index = (index &+ 1) & (places.count &- 1)
        }
        return nil
    }

    mutating func add(_ group: RowGroup) {
        groups.append(group)
        rowCount += group.batch.count
        guard rowCount * 2 > places.count else { return enter(groups.count - 1) }
        var size = max(16, places.count)
        while size < rowCount * 2 { size *= 2 }
        places = Array(repeating: Self.nowhere, count: size)
        for number in groups.indices { enter(number) }
    }

    private mutating func enter(_ number: Int) {
        let batch = groups[number].batch
        for row in 0..<batch.count {
            let key = batch.key(at: row)
            var index = home(key)
            while places[index] != Self.nowhere, self.key(at: index) != key {
                index = (index &+ 1) & (places.count &- 1)
            }
            places[index] = UInt64(number) << 32 | UInt64(row)
        }
    }

    private func key(at index: Int) -> Int64 {
        let (group, row) = resolve(places[index])
        return group.batch.key(at: Int(row))
    }

    @inline(__always)
    private func resolve(_ place: UInt64) -> (RowGroup, Int32) {
        (groups[Int(place >> 32)], Int32(truncatingIfNeeded: place))
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int { KeyHash.home(of: key, mask: places.count &- 1) }
}

/// Finds the row of a key in a batch: a hash table of row numbers, without a pointer in it.
struct KeyIndex {
    private var slots: [Int32]
    private let batch: RowBatch

    init(_ batch: RowBatch) {
        self.batch = batch
        var size = 16
        while size < batch.count * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        for row in 0..<batch.count {
            var index = home(batch.key(at: row))
            while slots[index] >= 0 { index = (index &+ 1) & (size - 1) }
            slots[index] = Int32(row)
        }
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        KeyHash.home(of: key, mask: slots.count &- 1)
    }

    subscript(key: Int64) -> Int32? {
        var index = home(key)
        while slots[index] >= 0 {
            if batch.key(at: Int(slots[index])) == key { return slots[index] }
            index = (index &+ 1) & (slots.count - 1)
        }
        return nil
    }
}

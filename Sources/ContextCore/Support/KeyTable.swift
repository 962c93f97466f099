/// A hash table from 64-bit keys to unowned objects, quicker and smaller than a dictionary of weak references.
///
/// Open addressing with linear probing; removal closes the gap, so that there are no tombstones. Every object that is made or
/// goes away is a use of it, so its memory is its own: an array would ask at each write whether somebody shares it.
struct KeyTable<Object: AnyObject>: ~Copyable {
    private struct Entry {
        var key: Int64
        var object: Unmanaged<Object>?
    }

    // Read and written by this type alone, at places that the mask keeps within it; freed with the table.
    private var entries: UnsafeMutablePointer<Entry>?
    private var mask = -1
    private(set) var count = 0

    init() {}

    deinit { entries?.deallocate() }

    /// How many entries there is memory for.
    var size: Int { mask &+ 1 }

    @inline(__always)
    private func home(_ key: Int64) -> Int { KeyHash.home(of: key, mask: mask) }

    /// The object that has a key.
    @inline(__always)
    subscript(key: Int64) -> Object? {
        guard let entries else { return nil }
        var index = home(key)
        while let object = entries[index].object {
            // Unretained, here and below: an object takes itself out of the table before it dies.
            if entries[index].key == key { return object.takeUnretainedValue() }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Enters an object under a key that is not in the table yet.
    @inline(__always)
    mutating func insert(_ object: Object, for key: Int64) {
        if count &* 4 >= size &* 3 { grow(to: max(16, size &* 2)) }
        place(Entry(key: key, object: .passUnretained(object)))
        count &+= 1
    }

    /// Makes room for so many more objects at once.
    mutating func reserve(_ additional: Int) {
        var size = max(16, self.size)
        while (count + additional) * 4 >= size * 3 { size *= 2 }
        if size > self.size { grow(to: size) }
    }

    /// Forgets all objects, and keeps room for as many.
    mutating func removeAll() {
        entries?.update(repeating: Entry(key: 0, object: nil), count: size)
        count = 0
    }

    /// Enters what there is room for.
    @inline(__always)
    private func place(_ entry: Entry) {
        guard let entries else { return }
        var index = home(entry.key)
        while entries[index].object != nil { index = (index &+ 1) & mask }
        entries[index] = entry
    }

    @inline(never)
    private mutating func grow(to size: Int) {
        let (old, oldSize) = (entries, self.size)
        entries = .allocate(capacity: size)
        entries?.initialize(repeating: Entry(key: 0, object: nil), count: size)
        mask = size - 1
        guard let old else { return }
        for index in 0..<oldSize where old[index].object != nil { place(old[index]) }
        old.deallocate()
    }

    /// Takes a key out, if the object under it is this one.
    @inline(__always)
    mutating func remove(_ key: Int64, _ object: Unmanaged<Object>) {
        guard let entries else { return }
        var index = home(key)
        while let found = entries[index].object {
            if entries[index].key == key {
                if found.toOpaque() == object.toOpaque() { close(index, entries) }
                return
            }
            index = (index &+ 1) & mask
        }
    }

    /// Moves what follows a gap back over it, as far as its home allows.
    private mutating func close(_ removed: Int, _ entries: UnsafeMutablePointer<Entry>) {
        var gap = removed
        var index = (gap &+ 1) & mask
        while entries[index].object != nil {
            let distanceHome = (index &- home(entries[index].key)) & mask
            let distanceGap = (index &- gap) & mask
            if distanceHome >= distanceGap {
                entries[gap] = entries[index]
                gap = index
            }
            index = (index &+ 1) & mask
        }
        entries[gap].object = nil
        count &-= 1
    }

    /// All objects, in no particular order.
    var all: [Object] {
        guard count > 0, let entries else { return [] }
        // Alive, as in the subscript.
        return (0..<size).compactMap { entries[$0].object?.takeUnretainedValue() }
    }
}

/// Where tables look for a key first.
enum KeyHash {
    /// The place in a table of a power of two places, less one.
    ///
    /// Keys are handed out in a row and asked for in a row: four neighbours share a line of the processor's cache, and the
    /// lines are scattered, so that removals needn't look far for the end of a run.
    @inline(__always)
    static func home(of key: Int64, mask: Int) -> Int {
        let mixed = UInt64(bitPattern: key &>> 2) &* 0x9E37_79B9_7F4A_7C15
        let line = Int(truncatingIfNeeded: mixed &>> 32) &<< 2
        return (line | Int(truncatingIfNeeded: key & 3)) & mask
    }
}

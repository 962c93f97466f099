/// A hash table from 64-bit keys to unowned objects, quicker and smaller than a dictionary of weak references.
///
/// Open addressing with linear probing; removal closes the gap, so that there are no tombstones.
struct KeyTable<Object: AnyObject> {
    private struct Entry {
        var key: Int64
        var object: Unmanaged<Object>?
    }

    private var entries: [Entry] = []
    private(set) var count = 0

    private var mask: Int { entries.count &- 1 }

    @inline(__always)
    private func home(_ key: Int64) -> Int { KeyHash.home(of: key, mask: mask) }

    /// The object that has a key.
    subscript(key: Int64) -> Object? {
        if entries.isEmpty { return nil }
        var index = home(key)
        while let object = entries[index].object {
            // Unretained, here and below: an object takes itself out of the table before it dies.
            if entries[index].key == key { return object.takeUnretainedValue() }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Enters an object under a key that is not in the table yet.
    mutating func insert(_ object: Object, for key: Int64) {
        if count &* 4 >= entries.count &* 3 { grow(to: max(16, entries.count &* 2)) }
        place(Entry(key: key, object: .passUnretained(object)))
        count += 1
    }

    /// Makes room for so many more objects at once.
    mutating func reserve(_ additional: Int) {
        var size = max(16, entries.count)
        while (count + additional) * 4 >= size * 3 { size *= 2 }
        if size > entries.count { grow(to: size) }
    }

    private mutating func place(_ entry: Entry) {
        var index = home(entry.key)
        while entries[index].object != nil { index = (index &+ 1) & mask }
        entries[index] = entry
    }

    private mutating func grow(to size: Int) {
        let old = entries
        entries = Array(repeating: Entry(key: 0, object: nil), count: size)
        for entry in old where entry.object != nil { place(entry) }
    }

    /// Takes a key out, if the object under it is this one.
    mutating func remove(_ key: Int64, _ object: Unmanaged<Object>) {
        if entries.isEmpty { return }
        var index = home(key)
        while let found = entries[index].object {
            if entries[index].key == key {
                if found.toOpaque() == object.toOpaque() { close(index) }
                return
            }
            index = (index &+ 1) & mask
        }
    }

    /// Moves what follows a gap back over it, as far as its home allows.
    private mutating func close(_ removed: Int) {
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
        count -= 1
    }

    /// All objects, in no particular order.
    var all: [Object] {
        // Alive, as in the subscript.
        entries.compactMap { $0.object?.takeUnretainedValue() }
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

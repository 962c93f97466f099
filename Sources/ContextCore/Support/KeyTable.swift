import Foundation

/// What a ``KeyTable`` keeps.
protocol KeyedObject: AnyObject {
    /// What it is found by; the same as long as it is in a table.
    var key: Int64 { get }
}

/// A hash table of unowned objects by their keys, quicker and smaller than a dictionary of weak references.
///
/// Open addressing with linear probing; removal closes the gap, so that there are no tombstones. Every object that is made or
/// goes away is a use of it, so its memory is its own: an array would ask at each write whether somebody shares it. An entry is a
/// reference and nothing else, as an object knows its key.
///
/// Keys are handed out in a row, and mostly fetched in a row. So a key's place is its last bits, which keeps neighbours together
/// and nobody out of his place. Where keys come in another pattern, one of them soon finds its place and all those near it
/// taken; from then on the table *scatters* keys.
struct KeyTable<Object: KeyedObject>: ~Copyable {
    private typealias Entry = Unmanaged<Object>?

    // Read and written by this type alone, at places that the mask keeps within it; freed with the table.
    private var entries: UnsafeMutablePointer<Entry>?
    private var mask = -1
    private(set) var count = 0
    /// How many entries are elsewhere than at their keys' homes; where there is none, removals leave no gap to be closed.
    private var displacedCount = 0
    private var isScattered = false

    /// How far from its home a key may be before the table scatters all.
    private static var reach: Int { 16 }

    init() {}

    deinit { free(entries) }

    /// How many entries there is memory for.
    var size: Int { mask &+ 1 }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        isScattered ? KeyHash.home(of: key, mask: mask) : Int(truncatingIfNeeded: key) & mask
    }

    @inline(__always)
    private func key(_ object: Unmanaged<Object>) -> Int64 { object.withUncounted { $0.key } }

    /// The object that has a key.
    @inline(__always)
    subscript(key: Int64) -> Object? {
        guard let entries else { return nil }
        let home = home(key)
        guard let object = entries[home] else { return nil }
        // Unretained, here and below: an object takes itself out of the table before it dies.
        if self.key(object) == key { return object.takeUnretainedValue() }
        let index = find(from: home, entries) { self.key($0) == key }
        // As above.
        return index.flatMap { entries[$0]?.takeUnretainedValue() }
    }

    /// Whether an object is in the table.
    @inline(__always)
    func has(_ object: Unmanaged<Object>) -> Bool {
        guard let entries else { return false }
        return index(of: object, home: home(key(object)), entries) != nil
    }

    @inline(__always)
    private func index(
        of object: Unmanaged<Object>, home: Int, _ entries: UnsafeMutablePointer<Entry>
    ) -> Int? {
        let isWanted = { (entry: Unmanaged<Object>) in entry.toOpaque() == object.toOpaque() }
        if let entry = entries[home], isWanted(entry) { return home }
        return find(from: home, entries, isWanted)
    }

    /// Where an entry is that is not at its home.
    ///
    /// A run of neighbours may be as long as the table: nobody looks further than a key may be.
    @inline(never)
    private func find(
        from home: Int, _ entries: UnsafeMutablePointer<Entry>, _ isWanted: (Unmanaged<Object>) -> Bool
    ) -> Int? {
        if displacedCount == 0 { return nil }
        var index = home
        for _ in 0..<(isScattered ? mask : Self.reach) {
            index = (index &+ 1) & mask
            guard let object = entries[index] else { return nil }
            if isWanted(object) { return index }
        }
        return nil
    }

    /// Enters an object whose key is not in the table yet.
    @inline(__always)
    mutating func insert(_ object: Object) {
        if count &* 4 >= size &* 3 { rebuild(to: max(16, size &* 2)) }
        count &+= 1
        if !place(.passUnretained(object), object.key) { scatter() }
    }

    /// Makes room for so many more objects at once.
    mutating func reserve(_ additional: Int) {
        var size = max(16, self.size)
        while (count + additional) * 4 >= size * 3 { size *= 2 }
        if size > self.size { rebuild(to: size) }
    }

    /// Forgets all objects, and keeps room for as many.
    mutating func removeAll() {
        entries?.update(repeating: nil, count: size)
        (count, displacedCount, isScattered) = (0, 0, false)
    }

    /// Enters what there is room for; tells whether that is near enough to its home.
    @inline(__always)
    private mutating func place(_ object: Unmanaged<Object>, _ key: Int64) -> Bool {
        guard let entries else { return true }
        let home = home(key)
        if entries[home] == nil {
            entries[home] = object
            return true
        }
        return displace(object, from: home, entries)
    }

    @inline(never)
    private mutating func displace(
        _ object: Unmanaged<Object>, from home: Int, _ entries: UnsafeMutablePointer<Entry>
    ) -> Bool {
        var index = (home &+ 1) & mask
        while entries[index] != nil { index = (index &+ 1) & mask }
        entries[index] = object
        displacedCount &+= 1
        return isScattered || (index &- home) & mask <= Self.reach
    }

    @inline(never)
    private mutating func scatter() {
        isScattered = true
        rebuild(to: size)
    }

    /// Enters everything anew in memory of a size.
    @inline(never)
    private mutating func rebuild(to size: Int) {
        let (old, oldSize) = (entries, self.size)
        // Zeroes are no objects, and of what the system gives, only what is written to takes up memory.
        guard let memory = calloc(size, MemoryLayout<Entry>.stride) else {
            programmingError("There is no memory left for objects.")
        }
        // Of the size that was just asked for, and bound to nothing else.
        entries = memory.bindMemory(to: Entry.self, capacity: size)
        mask = size - 1
        displacedCount = 0
        guard let old else { return }
        defer { free(old) }
        var areNear = true
        for index in 0..<oldSize {
            if let object = old[index] { areNear = place(object, key(object)) && areNear }
        }
        if !areNear { scatter() }
    }

    /// Takes an object out, if it is there.
    @inline(__always)
    mutating func remove(_ object: Unmanaged<Object>) {
        guard let entries else { return }
        let home = home(key(object))
        guard let index = index(of: object, home: home, entries) else { return }
        if index != home { displacedCount &-= 1 }
        let gap = displacedCount == 0 ? index : moveBack(over: index, entries)
        entries[gap] = nil
        count &-= 1
    }

    /// Moves what follows a gap back over it, as far as its home allows; returns where the gap is then.
    private mutating func moveBack(over start: Int, _ entries: UnsafeMutablePointer<Entry>) -> Int {
        var gap = start
        var index = (gap &+ 1) & mask
        while displacedCount > 0, let object = entries[index] {
            let distanceGap = (index &- gap) & mask
            // What lies further on has its home further on, too.
            if !isScattered && distanceGap > Self.reach { break }
            let home = home(key(object))
            if (index &- home) & mask >= distanceGap {
                entries[gap] = object
                if gap == home { displacedCount &-= 1 }
                gap = index
            }
            index = (index &+ 1) & mask
        }
        return gap
    }

    /// All objects, in no particular order.
    var all: [Object] {
        guard count > 0, let entries else { return [] }
        // Alive, as in the subscript.
        return (0..<size).compactMap { entries[$0]?.takeUnretainedValue() }
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

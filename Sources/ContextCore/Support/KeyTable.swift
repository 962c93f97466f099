import Foundation

/// An object that a ``KeyTable`` can contain.
protocol KeyedObject: AnyObject {
    /// The key, which must not change while the object is in a table.
    var key: Int64 { get }
}

/// A hash table of unowned objects by key, which is faster and smaller than a dictionary of weak references.
///
/// It uses open addressing with linear probing, and removal shifts entries back, so there are no tombstones. Every allocation and
/// deallocation of an object changes the table, so it owns its memory: an array would check for uniqueness at each write. An entry
/// is only a reference, because an object knows its key.
///
/// Stores assign consecutive keys, and most fetches return ranges of them. So a key's home slot is given by its low bits, which
/// keeps neighbors together and avoids collisions. If keys come in a pattern for which this fails, so that a key ends up farther than
/// `maximumDistance` slots from its home, the table *scatters* keys from then on: it hashes them.
struct KeyTable<Object: KeyedObject>: ~Copyable {
    private typealias Entry = Unmanaged<Object>?

    // Only this type accesses the memory. The mask keeps indexes in bounds, and deinit frees it.
    private var entries: UnsafeMutablePointer<Entry>?
    private var mask = -1
    private(set) var count = 0
    /// The number of entries that are not in their home slots; if it is 0, removals need no shifting.
    private var displacedCount = 0
    private var isScattered = false

    /// The maximum distance of an entry from its home before the table scatters keys.
    private static var maximumDistance: Int { 16 }

    init() {}

    deinit { free(entries) }

    /// The number of slots.
    var size: Int { mask &+ 1 }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        isScattered ? KeyHash.home(of: key, mask: mask) : Int(truncatingIfNeeded: key) & mask
    }

    @inline(__always)
    private func key(_ object: Unmanaged<Object>) -> Int64 { object.withUnretained { $0.key } }

    /// Returns the object with a key; nil if there is none.
    @inline(__always)
    subscript(key: Int64) -> Object? {
        guard let entries else { return nil }
        let home = home(key)
        guard let object = entries[home] else { return nil }
        // Unretained, here and below: an object removes itself from the table in its deinit.
        if self.key(object) == key { return object.takeUnretainedValue() }
        let index = find(from: home, entries) { self.key($0) == key }
        // Unretained, as above.
        return index.flatMap { entries[$0]?.takeUnretainedValue() }
    }

    /// Whether an object is in the table.
    @inline(__always)
    func contains(_ object: Unmanaged<Object>) -> Bool {
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

    /// Returns the index of an entry that is not in its home slot; nil if there is none.
    ///
    /// The search ends at the maximum distance, because a run of occupied slots can be as long as the table.
    @inline(never)
    private func find(
        from home: Int, _ entries: UnsafeMutablePointer<Entry>, _ isWanted: (Unmanaged<Object>) -> Bool
    ) -> Int? {
        if displacedCount == 0 { return nil }
        var index = home
        for _ in 0..<(isScattered ? mask : Self.maximumDistance) {
            index = (index &+ 1) & mask
            guard let object = entries[index] else { return nil }
            if isWanted(object) { return index }
        }
        return nil
    }

    /// Inserts an object whose key is not in the table yet.
    @inline(__always)
    mutating func insert(_ object: Object) {
        if count &* 4 >= size &* 3 { rebuild(to: max(16, size &* 2)) }
        count &+= 1
        if !storeEntry(.passUnretained(object), object.key) { scatter() }
    }

    /// Reserves capacity for additional objects.
    mutating func reserve(_ additional: Int) {
        var size = max(16, self.size)
        while (count + additional) * 4 >= size * 3 { size *= 2 }
        if size > self.size { rebuild(to: size) }
    }

    /// Removes all objects and keeps the capacity.
    mutating func removeAll() {
        entries?.update(repeating: nil, count: size)
        (count, displacedCount, isScattered) = (0, 0, false)
    }

    /// Stores an object in a free slot; returns whether the slot is near enough to its home.
    @inline(__always)
    private mutating func storeEntry(_ object: Unmanaged<Object>, _ key: Int64) -> Bool {
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
        return isScattered || (index &- home) & mask <= Self.maximumDistance
    }

    @inline(never)
    private mutating func scatter() {
        isScattered = true
        rebuild(to: size)
    }

    /// Moves all entries to new memory with a number of slots.
    @inline(never)
    private mutating func rebuild(to size: Int) {
        let (old, oldSize) = (entries, self.size)
        // All-zero bytes are nil entries, and with calloc the system commits only pages that are written to.
        guard let memory = calloc(size, MemoryLayout<Entry>.stride) else {
            programmingError("Out of memory: calloc failed for a context's table of objects.")
        }
        // The memory has just been allocated with this size and is not bound to another type.
        entries = memory.bindMemory(to: Entry.self, capacity: size)
        mask = size - 1
        displacedCount = 0
        guard let old else { return }
        defer { free(old) }
        var areNear = true
        for index in 0..<oldSize {
            if let object = old[index] { areNear = storeEntry(object, key(object)) && areNear }
        }
        if !areNear { scatter() }
    }

    /// Removes an object if it is in the table.
    @inline(__always)
    mutating func remove(_ object: Unmanaged<Object>) {
        guard let entries else { return }
        let home = home(key(object))
        guard let index = index(of: object, home: home, entries) else { return }
        if index != home { displacedCount &-= 1 }
        let gap = displacedCount == 0 ? index : shiftBack(over: index, entries)
        entries[gap] = nil
        count &-= 1
    }

    /// Shifts entries after a gap back into it, as far as their homes allow; returns the final position of the gap.
    private mutating func shiftBack(over start: Int, _ entries: UnsafeMutablePointer<Entry>) -> Int {
        var gap = start
        var index = (gap &+ 1) & mask
        while displacedCount > 0, let object = entries[index] {
            let distanceGap = (index &- gap) & mask
            // Entries farther away can't have their homes at or before the gap.
            if !isScattered && distanceGap > Self.maximumDistance { break }
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
        // Unretained, as in the subscript.
        return (0..<size).compactMap { entries[$0]?.takeUnretainedValue() }
    }
}

/// The hash function for scattered keys.
enum KeyHash {
    /// Returns the home slot of a key in a table whose number of slots is a power of two.
    ///
    /// Four consecutive keys stay together, and such groups are scattered. This keeps consecutive lookups in the processor's cache
    /// and runs of occupied slots short.
    ///
    /// - Parameter mask: The number of slots minus one.
    @inline(__always)
    static func home(of key: Int64, mask: Int) -> Int {
        let mixed = UInt64(bitPattern: key &>> 2) &* 0x9E37_79B9_7F4A_7C15
        let line = Int(truncatingIfNeeded: mixed &>> 32) &<< 2
        return (line | Int(truncatingIfNeeded: key & 3)) & mask
    }
}

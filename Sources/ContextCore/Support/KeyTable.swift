/// A hash table from 64-bit keys to unowned objects, quicker and smaller than a dictionary of weak references.
///
/// Open addressing with linear probing; removal closes the gap, so that there are no tombstones.
struct KeyTable<Object: AnyObject> {
    private var keys: [Int64]
    private var objects: [Unmanaged<Object>?]
    private(set) var count = 0

    init() {
        keys = []
        objects = []
    }

    private var mask: Int { keys.count &- 1 }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        let mixed = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 32) & mask
    }

    /// The object that has a key.
    subscript(key: Int64) -> Object? {
        if keys.isEmpty { return nil }
        var index = home(key)
        while let object = objects[index] {
            // Unretained, here and below: an object takes itself out of the table before it dies.
            if keys[index] == key { return object.takeUnretainedValue() }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Enters an object under a key that is not in the table yet.
    mutating func insert(_ object: Object, for key: Int64) {
        if count &* 4 >= keys.count &* 3 { grow(to: max(16, keys.count &* 2)) }
        place(.passUnretained(object), for: key)
        count += 1
    }

    /// Makes room for so many more objects at once.
    mutating func reserve(_ additional: Int) {
        var size = max(16, keys.count)
        while (count + additional) * 4 >= size * 3 { size *= 2 }
        if size > keys.count { grow(to: size) }
    }

    private mutating func place(_ object: Unmanaged<Object>, for key: Int64) {
        var index = home(key)
        while objects[index] != nil { index = (index &+ 1) & mask }
        keys[index] = key
        objects[index] = object
    }

    private mutating func grow(to size: Int) {
        let (oldKeys, oldObjects) = (keys, objects)
        keys = Array(repeating: 0, count: size)
        objects = Array(repeating: nil, count: size)
        for (key, object) in zip(oldKeys, oldObjects) {
            if let object { place(object, for: key) }
        }
    }

    /// Takes a key out, if the object under it is this one.
    mutating func remove(_ key: Int64, _ object: Unmanaged<Object>) {
        if keys.isEmpty { return }
        var index = home(key)
        while let found = objects[index] {
            if keys[index] == key {
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
        while let object = objects[index] {
            let distanceHome = (index &- home(keys[index])) & mask
            let distanceGap = (index &- gap) & mask
            if distanceHome >= distanceGap {
                keys[gap] = keys[index]
                objects[gap] = object
                gap = index
            }
            index = (index &+ 1) & mask
        }
        objects[gap] = nil
        count -= 1
    }

    /// Some of the objects, at most so many.
    func first(_ limit: Int, where condition: (Object) -> Bool) -> [Object] {
        var found: [Object] = []
        // Alive, as in the subscript.
        for case let object? in objects.lazy.map({ $0?.takeUnretainedValue() }) where condition(object) {
            found.append(object)
            if found.count == limit { break }
        }
        return found
    }

    /// All objects, in no particular order.
    var all: [Object] { objects.compactMap { $0?.takeUnretainedValue() } }  // alive, as in the subscript
}

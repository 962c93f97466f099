/// Keeps one object an identifier, without keeping it alive.
final class IdentityMap {
    private typealias Table = KeyTable<ManagedObject>

    /// A table for each inheritance tree, by the root's position in the model.
    // Looked at for every object that is made or goes away; as long as there is the map, and each index is checked.
    private let tables: UnsafeMutablePointer<Table>
    private let tableCount: Int

    init(entityCount: Int) {
        tableCount = entityCount
        tables = .allocate(capacity: entityCount)
        for index in 0..<entityCount { (tables + index).initialize(to: Table()) }
    }

    deinit {
        tables.deinitialize(count: tableCount)
        tables.deallocate()
    }

    @inline(__always)
    private func table(_ rootIndex: Int) -> UnsafeMutablePointer<Table> {
        precondition(rootIndex >= 0 && rootIndex < tableCount, "The model has no such entity.")
        return tables + rootIndex
    }

    /// The registered object with a key in an inheritance tree.
    @inline(__always)
    func object(_ key: Int64, rootIndex: Int) -> ManagedObject? {
        table(rootIndex).pointee[key]
    }

    /// Registers an object whose key is not taken.
    func register(_ object: ManagedObject) {
        table(object.rootIndex).pointee.insert(object, for: object.key)
    }

    /// Drops an object that is going away, or gives up its key.
    func forget(_ object: ManagedObject) {
        table(object.rootIndex).pointee.remove(object.key, .passUnretained(object))
    }

    /// Forgets all objects.
    func removeAll() {
        for index in 0..<tableCount { tables[index] = Table() }
    }

    /// Gives objects of an inheritance tree other keys, and returns those that they had.
    func rekey(_ objects: [ManagedObject], to keys: some RandomAccessCollection<Int64>, rootIndex: Int)
        -> [Int64]
    {
        let table = table(rootIndex)
        // Where nobody else is registered, all are let go of at once: one by one each leaves a gap to be closed. A table that was
        // made for many more would have to be gone through for a few.
        let areAll = objects.count * 8 >= table.pointee.size && isExactly(objects, table)
        if areAll { table.pointee.removeAll() }
        var old: [Int64] = []
        old.reserveCapacity(objects.count)
        var place = keys.startIndex
        for object in objects where place < keys.endIndex {
            old.append(object.key)
            if !areAll { table.pointee.remove(object.key, .passUnretained(object)) }
            object.key = keys[place]
            table.pointee.insert(object, for: object.key)
            keys.formIndex(after: &place)
        }
        return old
    }

    /// Whether some objects are registered, and no others.
    private func isExactly(_ objects: [ManagedObject], _ table: UnsafeMutablePointer<Table>) -> Bool {
        objects.count == table.pointee.count && objects.allSatisfy { table.pointee[$0.key] === $0 }
    }

    /// Whether a registered object of an inheritance tree fulfils a condition.
    func contains(rootIndex: Int, where condition: (ManagedObject) -> Bool) -> Bool {
        table(rootIndex).pointee.all.contains(where: condition)
    }

    /// Whether there is no registered object of an inheritance tree.
    func isEmpty(rootIndex: Int) -> Bool { table(rootIndex).pointee.count == 0 }

    /// Makes room for many objects at once.
    func reserve(_ count: Int, rootIndex: Int) {
        table(rootIndex).pointee.reserve(count)
    }

    /// All registered objects.
    var all: [ManagedObject] {
        var objects: [ManagedObject] = []
        for index in 0..<tableCount where tables[index].count > 0 { objects += tables[index].all }
        return objects
    }
}

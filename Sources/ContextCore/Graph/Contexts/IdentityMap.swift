/// Keeps one object an identifier, without keeping it alive.
struct IdentityMap {
    /// A table for each inheritance tree, by the root's position in the model.
    private var tables: [KeyTable<ManagedObject>]

    init(entityCount: Int) {
        tables = Array(repeating: KeyTable(), count: entityCount)
    }

    /// The registered object with a key in an inheritance tree.
    func object(_ key: Int64, rootIndex: Int) -> ManagedObject? {
        tables[rootIndex][key]
    }

    /// Registers an object whose key is not taken.
    mutating func register(_ object: ManagedObject) {
        tables[object.entity.rootIndex].insert(object, for: object.key)
    }

    /// Drops an object that is going away, or gives up its key.
    mutating func forget(_ object: ManagedObject) {
        tables[object.entity.rootIndex].remove(object.key, .passUnretained(object))
    }

    /// Gives objects of an inheritance tree other keys, and returns those that they had.
    mutating func rekey(_ objects: [ManagedObject], to keys: some Collection<Int64>, rootIndex: Int)
        -> [Int64]
    {
        zip(objects, keys).map { object, key in
            let old = object.key
            tables[rootIndex].remove(old, .passUnretained(object))
            object.key = key
            tables[rootIndex].insert(object, for: key)
            return old
        }
    }

    /// Whether a registered object of an inheritance tree fulfils a condition.
    func contains(rootIndex: Int, where condition: (ManagedObject) -> Bool) -> Bool {
        tables[rootIndex].all.contains(where: condition)
    }

    /// Whether there is no registered object of an inheritance tree.
    func isEmpty(rootIndex: Int) -> Bool { tables[rootIndex].count == 0 }

    /// Makes room for many objects at once.
    mutating func reserve(_ count: Int, rootIndex: Int) {
        tables[rootIndex].reserve(count)
    }

    /// All registered objects.
    var all: [ManagedObject] { tables.flatMap(\.all) }
}

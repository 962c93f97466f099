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

    /// Makes room for many objects at once.
    mutating func reserve(_ count: Int, rootIndex: Int) {
        tables[rootIndex].reserve(count)
    }

    /// Drops an object that is going away, or gives up its key.
    mutating func forget(_ object: ManagedObject) {
        tables[object.entity.rootIndex].remove(object.key, .passUnretained(object))
    }

    /// Gives an object another key.
    mutating func rekey(_ object: ManagedObject, to key: Int64) {
        forget(object)
        object.key = key
        register(object)
    }

    /// Whether a registered object of an inheritance tree fulfils a condition.
    func contains(rootIndex: Int, where condition: (ManagedObject) -> Bool) -> Bool {
        tables[rootIndex].all.contains(where: condition)
    }

    /// All registered objects.
    var all: [ManagedObject] { tables.flatMap(\.all) }
}

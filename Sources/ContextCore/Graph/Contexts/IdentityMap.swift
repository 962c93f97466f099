import Foundation

/// Keeps one object an identifier, without keeping it alive.
struct IdentityMap: ~Copyable {
    private typealias Table = KeyTable<ManagedObject>

    /// What is known of one inheritance tree.
    private struct Tree: ~Copyable {
        var table = Table()
        /// Counts the saves that changed something in it.
        var epoch = 0
        /// Faults that no fetch led to.
        var looseFaults = LooseFaults()
    }

    /// By the root's position in the model.
    // Looked at for every object that is made or goes away; as long as there is the map, and each index is checked.
    private let trees: UnsafeMutablePointer<Tree>
    private let treeCount: Int

    init(entityCount: Int) {
        treeCount = entityCount
        // By malloc, as each block makes one: Swift would have the system look for memory of the same alignment by a longer way.
        guard let memory = malloc(max(entityCount, 1) * MemoryLayout<Tree>.stride) else {
            programmingError("There is no memory for a context.")
        }
        // bindMemory: it is fresh, and this map's alone.
        trees = memory.bindMemory(to: Tree.self, capacity: entityCount)
        for index in 0..<entityCount { (trees + index).initialize(to: Tree()) }
    }

    deinit {
        trees.deinitialize(count: treeCount)
        free(trees)
    }

    @inline(__always)
    private func tree(_ rootIndex: Int) -> UnsafeMutablePointer<Tree> {
        requirePrecondition(rootIndex >= 0 && rootIndex < treeCount, "The model has no such entity.")
        return trees + rootIndex
    }

    func epoch(rootIndex: Int) -> Int { tree(rootIndex).pointee.epoch }

    func beginEpoch(rootIndex: Int) { tree(rootIndex).pointee.epoch += 1 }

    /// Notes the key of a fault that no fetch led to.
    func noteLooseFault(_ key: Int64, rootIndex: Int, where isWanted: (Int64) -> Bool) {
        tree(rootIndex).pointee.looseFaults.append(key, where: isWanted)
    }

    /// Takes the keys of such faults that are still wanted, at most so many.
    func takeLooseFaults(rootIndex: Int, atMost count: Int, where isWanted: (Int64) -> Bool) -> [Int64] {
        tree(rootIndex).pointee.looseFaults.take(atMost: count, where: isWanted)
    }

    /// The registered object with a key in an inheritance tree.
    @inline(__always)
    func object(_ key: Int64, rootIndex: Int) -> ManagedObject? {
        tree(rootIndex).pointee.table[key]
    }

    /// Registers an object whose key is not taken.
    func register(_ object: ManagedObject) {
        tree(object.rootIndex).pointee.table.insert(object)
    }

    /// Drops an object that is going away, or gives up its key.
    func forget(_ object: ManagedObject) {
        tree(object.rootIndex).pointee.table.remove(.passUnretained(object))
    }

    /// Forgets all objects.
    func removeAll() {
        for index in 0..<treeCount {
            trees[index].table = Table()
            trees[index].looseFaults = LooseFaults()
        }
    }

    /// Gives objects of an inheritance tree other keys, and returns those that they had.
    func rekey(_ objects: [ManagedObject], to keys: some RandomAccessCollection<Int64>, rootIndex: Int)
        -> [Int64]
    {
        let tree = tree(rootIndex)
        // Where nobody else is registered, all are let go of at once: one by one each leaves a gap to be closed. A table that was
        // made for many more would have to be gone through for a few.
        let areAll = objects.count * 8 >= tree.pointee.table.size && isExactly(objects, tree)
        if areAll { tree.pointee.table.removeAll() }
        var old: [Int64] = []
        old.reserveCapacity(objects.count)
        var place = keys.startIndex
        objects.forEachUncounted { object in
            if place == keys.endIndex { return }
            old.append(object.key)
            if !areAll { tree.pointee.table.remove(.passUnretained(object)) }
            object.rekey(keys[place])
            tree.pointee.table.insert(object)
            keys.formIndex(after: &place)
        }
        return old
    }

    /// Whether some objects are registered, and no others.
    private func isExactly(_ objects: [ManagedObject], _ tree: UnsafeMutablePointer<Tree>) -> Bool {
        objects.count == tree.pointee.table.count
            && objects.allSatisfyUncounted { tree.pointee.table.has(.passUnretained($0)) }
    }

    /// Whether a registered object of an inheritance tree fulfils a condition.
    func contains(rootIndex: Int, where condition: (ManagedObject) -> Bool) -> Bool {
        tree(rootIndex).pointee.table.all.contains(where: condition)
    }

    /// How many objects of an inheritance tree are registered.
    func count(rootIndex: Int) -> Int { tree(rootIndex).pointee.table.count }

    /// The registered objects of an inheritance tree.
    func objects(rootIndex: Int) -> [ManagedObject] { tree(rootIndex).pointee.table.all }

    /// Whether there is no registered object of an inheritance tree.
    func isEmpty(rootIndex: Int) -> Bool { tree(rootIndex).pointee.table.count == 0 }

    /// Makes room for many objects at once.
    func reserve(_ count: Int, rootIndex: Int) {
        tree(rootIndex).pointee.table.reserve(count)
    }

    /// All registered objects.
    var all: [ManagedObject] {
        var objects: [ManagedObject] = []
        for index in 0..<treeCount where trees[index].table.count > 0 { objects += trees[index].table.all }
        return objects
    }
}

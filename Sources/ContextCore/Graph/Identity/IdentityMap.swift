import Foundation

/// References one instance per identifier, without retaining it.
struct IdentityMap: ~Copyable {
    private typealias Table = KeyTable<ManagedObject>

    /// The objects of one inheritance tree.
    private struct Tree: ~Copyable {
        var table = Table()
        /// The number of saves that changed the tree.
        var epoch = 0
        /// The keys of orphan faults.
        var orphanFaults = OrphanFaults()
    }

    /// The trees by the position of their root entity in the model.
    // Accessed for every object that is created or released. Valid as long as the map; `tree(_:)` checks each index.
    private let trees: UnsafeMutablePointer<Tree>
    private let treeCount: Int

    init(entityCount: Int) {
        treeCount = entityCount
        // malloc, because each block creates an identity map, and Swift would request aligned memory, which the system
        // allocates more slowly.
        guard let memory = malloc(max(entityCount, 1) * MemoryLayout<Tree>.stride) else {
            programmingError("Out of memory: malloc failed for a context's identity map.")
        }
        // bindMemory: the memory is new and belongs to this map only.
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

    /// Records the key of an orphan fault.
    func recordOrphanFault(_ key: Int64, rootIndex: Int, where isWanted: (Int64) -> Bool) {
        tree(rootIndex).pointee.orphanFaults.append(key, where: isWanted)
    }

    /// Removes and returns the keys of orphan faults that are still wanted, at most `count`.
    func removeOrphanFaults(rootIndex: Int, atMost count: Int, where isWanted: (Int64) -> Bool) -> [Int64] {
        tree(rootIndex).pointee.orphanFaults.removeFirst(atMost: count, where: isWanted)
    }

    /// Returns the registered object with a key in an inheritance tree.
    @inline(__always)
    func object(_ key: Int64, rootIndex: Int) -> ManagedObject? {
        tree(rootIndex).pointee.table[key]
    }

    /// Registers an object whose key is not registered yet.
    func register(_ object: ManagedObject) {
        tree(object.rootIndex).pointee.table.insert(object)
    }

    /// Removes an object that is being deallocated or changes its key.
    func forget(_ object: ManagedObject) {
        tree(object.rootIndex).pointee.table.remove(.passUnretained(object))
    }

    /// Removes all objects.
    func removeAll() {
        for index in 0..<treeCount {
            trees[index].table = Table()
            trees[index].orphanFaults = OrphanFaults()
        }
    }

    /// Changes the keys of objects of an inheritance tree, and returns their previous keys.
    func rekey(_ objects: [ManagedObject], to keys: some RandomAccessCollection<Int64>, rootIndex: Int)
        -> [Int64]
    {
        let tree = tree(rootIndex)
        // If no other objects are registered, the table is emptied at once, since each single removal closes a gap. A table with
        // room for many more objects would cost too much to empty.
        let areAll = objects.count * 8 >= tree.pointee.table.size && containsExactly(objects, tree)
        if areAll { tree.pointee.table.removeAll() }
        var old: [Int64] = []
        old.reserveCapacity(objects.count)
        var place = keys.startIndex
        objects.forEachUnretained { object in
            if place == keys.endIndex { return }
            old.append(object.key)
            if !areAll { tree.pointee.table.remove(.passUnretained(object)) }
            object.rekey(keys[place])
            tree.pointee.table.insert(object)
            keys.formIndex(after: &place)
        }
        return old
    }

    /// Whether exactly these objects are registered.
    private func containsExactly(_ objects: [ManagedObject], _ tree: UnsafeMutablePointer<Tree>) -> Bool {
        objects.count == tree.pointee.table.count
            && objects.allSatisfyUnretained { tree.pointee.table.contains(.passUnretained($0)) }
    }

    /// Whether a registered object of an inheritance tree satisfies a condition.
    func contains(rootIndex: Int, where condition: (ManagedObject) -> Bool) -> Bool {
        tree(rootIndex).pointee.table.all.contains(where: condition)
    }

    /// Returns the number of registered objects of an inheritance tree.
    func count(rootIndex: Int) -> Int { tree(rootIndex).pointee.table.count }

    /// Returns the registered objects of an inheritance tree.
    func objects(rootIndex: Int) -> [ManagedObject] { tree(rootIndex).pointee.table.all }

    /// Whether an inheritance tree has no registered object.
    func isEmpty(rootIndex: Int) -> Bool { tree(rootIndex).pointee.table.count == 0 }

    /// Reserves space for additional objects.
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

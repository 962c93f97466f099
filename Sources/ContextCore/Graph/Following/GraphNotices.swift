/// What has changed in a graph since its followers were last told.
struct GraphNotices {
    /// The objects that have changed, and in which properties.
    private(set) var objects: [ManagedObject: ChangedSlots] = [:]
    /// What others have inserted, changed or deleted, whether or not there is an object of it here: keys by the root's position in the
    /// model.
    private(set) var merged: [Int: Set<Int64>] = [:]
    /// The objects among them that were inserted here.
    private(set) var inserted: Set<ManagedObject> = []
    /// What others have done to objects, whether or not there is an object of it here.
    private(set) var mergedEffects = NetEffects()
    /// Whether anything may have changed.
    private(set) var isEverything = false

    /// Whether there is nothing to tell.
    var isEmpty: Bool { objects.isEmpty && merged.isEmpty && !isEverything }

    /// How many objects are named.
    var count: Int { merged.values.reduce(objects.count) { $0 + $1.count } }

    /// Notes a change of one property.
    mutating func note(_ object: ManagedObject, slot: Int) { objects[object, default: []].insert(slot: slot) }

    /// Notes that all of an object may have changed.
    mutating func note(_ object: ManagedObject) { objects[object] = .all }

    /// Notes that an object was inserted.
    mutating func note(inserted object: ManagedObject) {
        note(object)
        inserted.insert(object)
    }

    /// Notes what others have done to an object.
    mutating func note(merged id: ObjectID, _ kind: HistoryChange.Kind, rootIndex: Int) {
        merged[rootIndex, default: []].insert(id.key)
        mergedEffects.note(kind, id)
    }

    /// Notes that anything may have changed.
    mutating func noteEverything() { isEverything = true }

    /// Adds what was noted later.
    mutating func add(_ later: GraphNotices) {
        objects.merge(later.objects) { $0.union($1) }
        inserted.formUnion(later.inserted)
        merged.merge(later.merged) { $0.union($1) }
        mergedEffects.add(later.mergedEffects)
        isEverything = isEverything || later.isEverything
    }

    /// Which objects of an inheritance tree have changed, by their keys.
    func keys(rootIndex: Int) -> Set<Int64> {
        var keys = merged[rootIndex] ?? []
        for object in objects.keys where object.rootIndex == rootIndex { keys.insert(object.key) }
        return keys
    }

    /// The inheritance trees of which something has changed, by their roots.
    var roots: Set<Int> { Set(merged.keys).union(objects.keys.lazy.map(\.entity.rootIndex)) }
}

extension GraphNotices {
    /// What was done to objects, by identifiers that they keep; nil where that isn't known: anything may have been done, or there are no
    /// identifiers to be had at the moment.
    func effects(in graph: ObjectGraph) -> NetEffects? {
        guard !isEverything, (try? graph.settingErrorsAside { try identify(in: graph) }) != nil else {
            return nil
        }
        var effects = mergedEffects
        for object in objects.keys {
            if let kind = kind(object) { effects.note(kind, object.objectID) }
        }
        return effects
    }

    private func identify(in graph: ObjectGraph) throws {
        if graph.hasTemporaryKeys { _ = try IdentityStage(graph: graph).assignKeys(SaveWork(graph)) }
    }

    /// What became of an object; nil for one that came and went before anybody could know its identifier.
    private func kind(_ object: ManagedObject) -> HistoryChange.Kind? {
        let isNew = inserted.contains(object)
        if object.isKept { return isNew ? .insert : .update }
        return isNew && object.objectID.isTemporary ? nil : .delete
    }
}

/// Which properties of an object have changed, in one word: those from the 63rd on share a bit.
struct ChangedSlots: OptionSet {
    let rawValue: UInt64

    static let all = ChangedSlots(rawValue: .max)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(slot: Int) { rawValue = 1 << UInt64(min(slot, 63)) }

    mutating func insert(slot: Int) { formUnion(ChangedSlots(slot: slot)) }

    /// Whether a property may have changed.
    func contains(slot: Int) -> Bool { contains(ChangedSlots(slot: slot)) }
}

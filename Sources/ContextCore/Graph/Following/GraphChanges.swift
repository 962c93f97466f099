/// The changes in a graph since its followers were last notified.
struct GraphChanges {
    /// The changed objects and their changed properties.
    private(set) var objects: [ManagedObject: ChangedSlots] = [:]
    /// The keys of the rows that merges have inserted, changed or deleted, registered or not, by the root entity's position in the model.
    private(set) var merged: [Int: Set<Int64>] = [:]
    /// The objects that were inserted in this context.
    private(set) var inserted: Set<ManagedObject> = []
    /// The effects of merges on objects, registered or not.
    private(set) var mergedEffects = NetEffects()
    /// Whether any object may have changed, because the changed objects are unknown.
    private(set) var isUnknown = false

    /// Whether there are no changes.
    var isEmpty: Bool { objects.isEmpty && merged.isEmpty && !isUnknown }

    /// The number of changed objects.
    var count: Int { merged.values.reduce(objects.count) { $0 + $1.count } }

    /// Records a change of one property.
    mutating func recordChange(_ object: ManagedObject, slot: Int) {
        objects[object, default: []].insert(slot: slot)
    }

    /// Records that all properties of an object may have changed.
    mutating func recordAllChanges(_ object: ManagedObject) { objects[object] = .all }

    /// Records an insertion.
    mutating func record(inserted object: ManagedObject) {
        recordAllChanges(object)
        inserted.insert(object)
    }

    /// Records an object that a merge has changed.
    mutating func record(merged id: ObjectID, _ kind: HistoryChange.Kind, rootIndex: Int) {
        merged[rootIndex, default: []].insert(id.key)
        mergedEffects.record(kind, id)
    }

    /// Records that any object may have changed.
    mutating func recordUnknownChanges() { isUnknown = true }

    /// Adds later changes.
    mutating func add(_ later: GraphChanges) {
        objects.merge(later.objects) { $0.union($1) }
        inserted.formUnion(later.inserted)
        merged.merge(later.merged) { $0.union($1) }
        mergedEffects.add(later.mergedEffects)
        isUnknown = isUnknown || later.isUnknown
    }

    /// Returns the keys of the changed objects of an inheritance tree.
    func keys(rootIndex: Int) -> Set<Int64> {
        var keys = merged[rootIndex] ?? []
        for object in objects.keys where object.rootIndex == rootIndex { keys.insert(object.key) }
        return keys
    }

    /// The inheritance trees with changes, as positions of their root entities in the model.
    var roots: Set<Int> { Set(merged.keys).union(objects.keys.lazy.map(\.entity.rootIndex)) }
}

extension GraphChanges {
    /// Returns the effects on objects by permanent identifier; nil if they are unknown, or if identifiers can't be assigned now.
    func effects(in graph: ObjectGraph) -> NetEffects? {
        guard !isUnknown, (try? graph.withoutDeferredErrors { try identify(in: graph) }) != nil else {
            return nil
        }
        var effects = mergedEffects
        for object in objects.keys {
            if let kind = kind(object) { effects.record(kind, object.objectID) }
        }
        return effects
    }

    private func identify(in graph: ObjectGraph) throws {
        if graph.hasTemporaryKeys { _ = try IdentityStage(graph: graph).assignKeys(SaveSelection(graph)) }
    }

    /// Returns the kind of an object's change; nil for an object that was inserted and deleted before it had a permanent identifier.
    private func kind(_ object: ManagedObject) -> HistoryChange.Kind? {
        let isNew = inserted.contains(object)
        if object.isLive { return isNew ? .insert : .update }
        return isNew && object.objectID.isTemporary ? nil : .delete
    }
}

/// The changed properties of an object as a bit set; slots from 63 on share a bit.
struct ChangedSlots: OptionSet {
    let rawValue: UInt64

    static let all = ChangedSlots(rawValue: .max)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(slot: Int) { rawValue = 1 << UInt64(min(slot, 63)) }

    mutating func insert(slot: Int) { formUnion(ChangedSlots(slot: slot)) }

    /// Whether a property may have changed.
    func contains(slot: Int) -> Bool { contains(ChangedSlots(slot: slot)) }
}

/// The objects of a save, grouped by operation and entity.
///
/// Stages process one entity at a time: they look up properties of the entity once, and skip entities that they have
/// nothing to do for. This matters because each pass over many objects is limited by memory accesses.
struct SaveSelection {
    /// Objects of one entity, in the order in which they were first changed.
    struct Kind {
        let entity: EntityLayout
        fileprivate(set) var objects: [ManagedObject]
    }

    let inserted: [Kind]
    let updated: [Kind]
    let deleted: [Kind]
    /// All groups.
    let all: [Kind]

    /// Selects all changed objects of a graph.
    init(_ graph: ObjectGraph) {
        self.init(graph.changes.objects)
    }

    /// Selects the changed objects of a list.
    init(_ objects: [ManagedObject]) {
        if let first = objects.first, first.hasChanges,
            objects.allSatisfyUnretained({ $0.state == first.state && $0.isExactly(first.entity) })
        {
            // Most large saves have one operation and one entity, and reuse the list.
            all = [Kind(entity: first.entity, objects: objects)]
            inserted = first.state == .inserted ? all : []
            updated = first.state == .updated ? all : []
            deleted = first.state == .deleted ? all : []
            return
        }
        var (inserted, updated, deleted) = (Grouping(), Grouping(), Grouping())
        for object in objects {
            switch object.state {
            case .inserted: inserted.append(object)
            case .updated: updated.append(object)
            case .deleted: deleted.append(object)
            case .unchanged, .detached: break
            }
        }
        (self.inserted, self.updated, self.deleted) = (inserted.kinds, updated.kinds, deleted.kinds)
        all = inserted.kinds + updated.kinds + deleted.kinds
    }

    var isEmpty: Bool { all.isEmpty }
    /// The number of objects.
    var count: Int { all.reduce(0) { $0 + $1.objects.count } }
    /// The objects that have rows after the save.
    var insertedAndUpdated: ArraySlice<Kind> { all.dropLast(deleted.count) }
}

/// Groups objects by entity, in the order of first appearance.
private struct Grouping {
    private(set) var kinds: [SaveSelection.Kind] = []
    /// The index of the last object's group; the next object is mostly in the same group.
    private var last = 0

    mutating func append(_ object: ManagedObject) {
        if last >= kinds.count || kinds[last].entity !== object.entity {
            last = kinds.firstIndex { $0.entity === object.entity } ?? kinds.count
        }
        if last == kinds.count { kinds.append(SaveSelection.Kind(entity: object.entity, objects: [])) }
        kinds[last].objects.append(object)
    }
}

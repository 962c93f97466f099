/// The objects that one save is about, sorted by what is to be done with them and by their entity.
///
/// Stages walk them a kind at a time: what they need to know of an entity they find out once, and a kind that they have nothing to
/// do with costs nothing. That counts, as every walk over many objects waits for the memory that they lie in.
struct SaveWork {
    /// Objects of one entity, in the order in which they were first changed.
    struct Kind {
        let entity: EntityLayout
        fileprivate(set) var objects: [ManagedObject]
    }

    let inserted: [Kind]
    let updated: [Kind]
    let deleted: [Kind]
    /// All of them.
    let all: [Kind]

    /// Everything that a graph has changed.
    init(_ graph: ObjectGraph) {
        self.init(graph.changes.objects)
    }

    /// Those of some objects that have changed.
    init(_ objects: [ManagedObject]) {
        if let first = objects.first, first.hasChanges,
            objects.allSatisfyUncounted({ $0.state == first.state && $0.isOf(first.entity) })
        {
            // Most large saves do one thing to objects of one entity: then their list is the one that there is.
            all = [Kind(entity: first.entity, objects: objects)]
            inserted = first.state == .inserted ? all : []
            updated = first.state == .updated ? all : []
            deleted = first.state == .deleted ? all : []
            return
        }
        var (inserted, updated, deleted) = (Sorting(), Sorting(), Sorting())
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
    /// How many objects there are.
    var count: Int { all.reduce(0) { $0 + $1.objects.count } }
    /// Those that there will be rows of.
    var kept: ArraySlice<Kind> { all.dropLast(deleted.count) }
}

/// Sorts objects by their entity, in the order in which the entities first appear.
private struct Sorting {
    private(set) var kinds: [SaveWork.Kind] = []
    /// Where the last object went; the next one mostly follows it.
    private var last = 0

    mutating func append(_ object: ManagedObject) {
        if last >= kinds.count || kinds[last].entity !== object.entity {
            last = kinds.firstIndex { $0.entity === object.entity } ?? kinds.count
        }
        if last == kinds.count { kinds.append(SaveWork.Kind(entity: object.entity, objects: [])) }
        kinds[last].objects.append(object)
    }
}

/// The objects that one save is about, sorted by what is to be done with them.
struct SaveWork {
    var inserted: [ManagedObject] = []
    var updated: [ManagedObject] = []
    var deleted: [ManagedObject] = []

    /// Everything that a graph has changed.
    init(_ graph: ObjectGraph) {
        self.init(graph.changes.objects)
    }

    /// Those of some objects that have changed.
    init(_ objects: some Sequence<ManagedObject>) {
        for object in objects {
            switch object.state {
            case .inserted: inserted.append(object)
            case .updated: updated.append(object)
            case .deleted: deleted.append(object)
            case .unchanged, .detached: break
            }
        }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    /// All of them.
    var all: [ManagedObject] { inserted + updated + deleted }
    /// Those that there will be rows of.
    var kept: [ManagedObject] { inserted + updated }
}

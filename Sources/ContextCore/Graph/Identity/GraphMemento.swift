/// A copy of the state of a graph and all its objects, from which a failed save restores them.
struct GraphMemento {
    private struct Record {
        let object: ManagedObject
        let state: ObjectState
        let group: RowGroup?
        let row: Int32
        let slots: [SlotValue]?
    }

    private let graph: ObjectGraph
    private let records: [Record]
    private let undo: UndoLog?
    private let unloadedDependents: UnloadedDependents
    private let lastVersions: [ObjectID: Int64]
    private let unmerged: Set<ManagedObject>
    private let contested: [ManagedObject: Set<Int>]
    /// The changed objects, in the order in which they were first changed.
    private let changed: [ManagedObject]

    init(_ graph: ObjectGraph) {
        self.graph = graph
        undo = graph.undo
        unloadedDependents = graph.unloadedDependents
        lastVersions = graph.lastVersions
        (unmerged, contested) = (graph.unmerged, graph.contested)
        changed = graph.changes.objects
        records = graph.identities.all.map { object in
            Record(
                object: object, state: object.state, group: object.group, row: object.row,
                slots: object.overlay.map { $0.slots.map(Self.copy) })
        }
    }

    private static func copy(_ value: SlotValue) -> SlotValue {
        if case .collection(let state) = value { .collection(state.copy()) } else { value }
    }

    /// Restores the state of the graph.
    ///
    /// Changed objects that the memento doesn't contain are detached if they are new, and become faults otherwise.
    func restore() {
        let known = Set(records.map { ObjectIdentifier($0.object) })
        for object in graph.changes.objects where !known.contains(ObjectIdentifier(object)) {
            if object.state == .inserted {
                graph.detach(object)
            } else if object.state != .detached {
                if object.state == .deleted { object.state = .unchanged }
                graph.refault(object)
            }
        }
        for record in records {
            let object = record.object
            object.state = record.state
            object.group = record.group
            object.row = record.row
            object.overlay = record.slots.map(Overlay.make(of:))
            register(object)
            graph.didChangeAll(object)
        }
        graph.pruneChanges()
        for object in changed where object.hasChanges { graph.changes.track(object) }
        graph.undo = undo
        graph.unloadedDependents = unloadedDependents
        graph.lastVersions = lastVersions
        (graph.unmerged, graph.contested) = (unmerged, contested)
        graph.deletionCount += 1
    }

    /// Registers an object again if it was detached, and replaces a fault that was made from its identifier since.
    private func register(_ object: ManagedObject) {
        if let known = graph.identities.object(object.key, rootIndex: object.rootIndex) {
            if known === object { return }
            graph.detach(known)
        }
        graph.identities.register(object)
    }
}

/// Fetches objects, tracks changes to them, and saves the changes as a unit.
///
/// A context keeps one instance per identifier, tracks changes, maintains inverses, and loads properties on first access. It belongs to
/// one isolation, and the compiler keeps the context and its objects there.
///
/// ```swift
/// let game = Game(in: context, title: "Go")
/// game.players.insert(Player(in: context, name: "Ann"))
/// try context.save()
/// ```
public final class ObjectContext {
    let graph: ObjectGraph
    /// The context's name in the history of the store.
    public var name: String?
    /// The author of the context's saves in the history of the store.
    public var author: String?
    /// The rules for objects that were changed both in the context and in the store; by default, the save throws.
    public var mergePolicy = MergePolicy.error
    /// Whether the context refuses to save.
    public let isReadOnly: Bool

    init(model: ObjectModel, parent: any ContextParent, isReadOnly: Bool = false) {
        graph = ObjectGraph(model: model, parent: parent)
        self.isReadOnly = isReadOnly
        graph.context = self
    }

    deinit { graph.close() }

    /// The model of the context's objects.
    public var model: ObjectModel { graph.model }
}

@available(
    *, unavailable, message: "A context can't leave its isolation; use it within perform, read or write."
)
extension ObjectContext: Sendable {}

// MARK: - Registered and changed objects

extension ObjectContext {
    /// Whether the context has unsaved changes.
    public var hasChanges: Bool { graph.changes.hasChanges }
    /// The objects that the next save inserts.
    public var insertedObjects: Set<ManagedObject> { Set(graph.changes.objects(in: .inserted)) }
    /// The objects whose changes the next save writes.
    public var updatedObjects: Set<ManagedObject> { Set(graph.changes.objects(in: .updated)) }
    /// The objects that the next save deletes.
    ///
    /// Reading this property loads the dependents that the save would delete without loading them.
    public var deletedObjects: Set<ManagedObject> {
        graph.loadDependents()
        return Set(graph.changes.objects(in: .deleted))
    }
    /// The objects that the program or the context references.
    ///
    /// Reading this property first frees objects that only reference each other through a many-to-many relationship. Otherwise, a fetch, a
    /// save or the end of a block frees them when the number of such objects has doubled.
    public var registeredObjects: Set<ManagedObject> {
        CycleCollector(graph: graph).collect()
        return Set(graph.identities.all.filter { $0.state != .detached })
    }

    /// What happens when the program accesses an object, relationship or value that has not been fetched.
    public var faulting: Faulting {
        get { graph.faulting.mode }
        set { graph.faulting.mode = newValue }
    }

    /// What a fault becomes when its row is no longer in the store; ``InaccessibleFaults/error`` by default.
    public var inaccessibleFaults: InaccessibleFaults {
        get { graph.faulting.inaccessible }
        set { graph.faulting.inaccessible = newValue }
    }

    /// Sets the handler of the warnings of ``Faulting/warn``; without a handler, warnings are discarded.
    public func onFaultWarning(_ handler: @escaping (String) -> Void) {
        graph.faulting.warn = handler
    }

    /// Whether accesses to the context's objects are reported to Observation, for `withObservationTracking`.
    public var isObserved: Bool {
        get { graph.reportsToObservation }
        set {
            graph.reportsToObservation = newValue
            if !newValue { graph.registrars = [:] }
        }
    }
}

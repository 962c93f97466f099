/// A place to work with objects: fetch them, change them, and save what was changed as a whole.
///
/// A context belongs to one thread at a time, the one that its closure runs on, and the compiler keeps it there. It is a face:
/// what it does is done by its roles, and what it knows is in its graph.
///
/// ```swift
/// let game = Game(in: context, title: "Go")
/// game.players.insert(Player(in: context, name: "Ann"))
/// try context.save()
/// ```
public final class ObjectContext {
    let graph: ObjectGraph
    /// A name for people, written into the history with what the context saves.
    public var name: String?
    /// Whom the history names as the author of what the context saves.
    public var author: String?
    /// Who wins when an object was changed here and in the store; by default the save throws.
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

@available(*, unavailable, message: "A context stays where it is; work with it in perform, read or write.")
extension ObjectContext: Sendable {}

// MARK: - What is registered and what has changed

extension ObjectContext {
    /// Whether a save would do anything.
    public var hasChanges: Bool { graph.changes.hasChanges }
    /// The objects that the next save inserts.
    public var insertedObjects: Set<ManagedObject> { Set(graph.changes.objects(in: .inserted)) }
    /// The objects whose changes the next save writes.
    public var updatedObjects: Set<ManagedObject> { Set(graph.changes.objects(in: .updated)) }
    /// The objects that the next save deletes.
    ///
    /// Dependents of which there was no object yet become objects when this is asked for.
    public var deletedObjects: Set<ManagedObject> {
        graph.seeDependents()
        return Set(graph.changes.objects(in: .deleted))
    }
    /// All objects that the context knows and that the program or the context still holds.
    ///
    /// Objects that only hold each other, as the two ends of a many-to-many relationship, are freed before. Otherwise
    /// that is done when their number has doubled, at a fetch, a save or the end of a block.
    public var registeredObjects: Set<ManagedObject> {
        PairCollection(graph: graph).collect()
        return Set(graph.identities.all.filter { $0.state != .detached })
    }

    /// What happens when something is touched that has not been fetched.
    public var faulting: Faulting {
        get { graph.faulting.mode }
        set { graph.faulting.mode = newValue }
    }

    /// What a fault becomes whose row is not in the store any more; an error unless this is set.
    public var inaccessibleFaults: InaccessibleFaults {
        get { graph.faulting.inaccessible }
        set { graph.faulting.inaccessible = newValue }
    }

    /// Where warnings of ``Faulting/warn`` go; nowhere unless this is set.
    public func onFaultWarning(_ handler: @escaping (String) -> Void) {
        graph.faulting.warn = handler
    }

    /// Whether reads and writes of the context's objects are reported to Observation, for `withObservationTracking`.
    public var isObserved: Bool {
        get { graph.reportsToObservation }
        set {
            graph.reportsToObservation = newValue
            if !newValue { graph.registrars = [:] }
        }
    }
}

import Observation

/// The objects of one context and the state that the parts of a context share.
///
/// Objects retain their graph through their groups, and the graph retains only changed objects, so an unchanged object
/// lives as long as the program references it. When its context is deallocated, the graph is closed, which breaks the
/// cycles between changed objects.
///
/// Like its context, a graph is used by one thread at a time, so its state needs no lock.
final class ObjectGraph {
    let model: ObjectModel
    /// The context of the graph, until it is deallocated.
    // unowned(unsafe): the context's deinit closes the graph, which clears this property; a weak reference would cost
    // each block an allocation.
    unowned(unsafe) var context: ObjectContext?
    /// The isolation of the graph, if known.
    var isolation = GraphIsolation.unknown
    /// The store or context that this context fetches from and saves to.
    let parent: any ContextParent
    /// The identifier spaces of the store.
    let identifiers: IdentifierSpaces
    /// The identity map: one instance per identifier.
    let identities: IdentityMap
    // Code that changes the tracker never calls back into the graph, and the exclusivity check would take longer than tracking an object.
    // Debug builds, and so the tests, still check.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// The objects with unsaved changes.
    var changes = ChangeTracker()
    /// What happens when the program accesses a fault.
    var faulting = FaultingPolicy()
    /// Whether an object has been inserted since permanent identifiers were last assigned.
    var hasTemporaryKeys = false
    /// The permanent keys that saves assigned to temporary ones.
    var permanentKeys = PermanentKeys()
    /// Dependents that are not loaded and that the next save deletes.
    var unloadedDependents = UnloadedDependents() {
        didSet { hasUnloadedDependents = !unloadedDependents.owners.isEmpty }
    }
    /// Whether there are dependents that are not loaded; a separate flag, because each creation of an object checks it.
    private(set) var hasUnloadedDependents = false
    /// The causes of deletions; nil if no tool asks for them.
    var deletionTrace: DeletionTrace?
    /// The number of changes so far, which callers compare to detect changes.
    var changeCount = 0
    /// The number of objects with many-to-many relationships at which ``CycleCollector`` runs.
    var collectionThreshold = CycleCollector.minimumObjectCount
    /// The number of deletions and restorations so far; each may change the members of relationships.
    var deletionCount = 0
    /// The commits that wait to be merged, in a context that merges changes automatically.
    var inbox: ChangeMailbox?
    /// The changes that ``ObjectContext/merge(_:)`` keeps until a pinned context has a snapshot with them; nil if there are none.
    var postponedChanges: ChangeMailbox?
    /// Objects that the store has changed or deleted, and that a merge has not updated yet.
    var unmerged: Set<ManagedObject> = []
    /// Objects in conflict with the store: the slots that both the context and the store changed, or an empty set if
    /// the store deleted the object.
    ///
    /// They are updated once they have no pending changes.
    var contested: [ManagedObject: Set<Int>] = [:]
    /// The first error that a property access could not throw; the next fetch or save throws it.
    var deferredError: (any Error)?
    /// The group of objects without rows, which is created on first use.
    private var emptyGroup: RowGroup?
    /// The object whose `awakeFromFetch` is running.
    ///
    /// Its assignments are not pending changes.
    var awaking: ObjectIdentifier?
    /// Whether reads and writes of properties are reported to Observation.
    var reportsToObservation = false { didSet { updateIsObserved() } }
    /// The watchers of changes of an object's properties, by object.
    var watchers: [ObjectIdentifier: [PropertyWatcher]] = [:] { didSet { updateIsObserved() } }
    /// Whether changes of objects are reported to observers, watchers or followers.
    private(set) var isObserved = false
    /// The recorder of accessed properties, in a graph that only resolves key paths.
    let probe: KeyPathProbe?
    /// The undo history; nil if the context doesn't record one.
    var undo: UndoLog? { didSet { recordsUndo = undo != nil } }
    /// Whether there is an undo history; a separate flag, since each change checks it.
    private(set) var recordsUndo = false
    /// The last known version of each deleted object that may be inserted again; other contexts may still have the
    /// deleted row.
    var lastVersions: [ObjectID: Int64] = [:]
    /// The followers of changes in the graph.
    var followers = GraphFollowers()
    /// The publisher of the context's messages; nil until there is a subscriber.
    var messenger: ContextMessenger?
    /// The observation registrars of objects, in an observed context.
    var registrars: [ObjectIdentifier: ObservationRegistrar] = [:]
    /// The entities of classes that have been looked up, once there is more than one.
    var layoutsByClass: [ObjectIdentifier: EntityLayout] = [:]
    /// The class of the last lookup, which is often that of the next one.
    var lastClass: ObjectIdentifier?
    // Unretained: the model or the table of classes retains it.
    var lastLayout: Unmanaged<EntityLayout>?

    init(model: ObjectModel, parent: any ContextParent) {
        self.model = model
        self.parent = parent
        identifiers = parent.identifiers
        probe = nil
        identities = IdentityMap(entityCount: model.layouts.count)
    }

    /// Creates a graph without a store, whose objects only record which properties are accessed.
    init(probe: KeyPathProbe) {
        model = .empty
        parent = ProbeParent()
        identifiers = parent.identifiers
        self.probe = probe
        identities = IdentityMap(entityCount: 1)
    }

    /// The shared group of objects without rows.
    @inline(__always)
    var groupWithoutRows: Unmanaged<RowGroup> {
        // Unretained: the graph and the objects retain it.
        emptyGroup.map(Unmanaged.passUnretained) ?? makeEmptyGroup()
    }

    @inline(never)
    private func makeEmptyGroup() -> Unmanaged<RowGroup> {
        let group = RowGroup()
        emptyGroup = group
        // Unretained, as above.
        return .passUnretained(group)
    }

    /// The number of saves that changed each inheritance tree, by the root's position in the model.
    ///
    /// Prefetched rows of an earlier epoch are invalid.
    var epochs: [Int] { model.layouts.indices.map(epoch) }

    /// Invalidates prefetched rows of an inheritance tree.
    func beginEpoch(rootIndex: Int) { identities.beginEpoch(rootIndex: rootIndex) }

    /// Invalidates all prefetched rows.
    func beginEpochs() {
        for rootIndex in model.layouts.indices { beginEpoch(rootIndex: rootIndex) }
    }

    /// Returns the number of saves that changed an inheritance tree.
    func epoch(rootIndex: Int) -> Int { identities.epoch(rootIndex: rootIndex) }

    /// Returns the epoch of a relationship; prefetched targets are valid until it changes.
    func epoch(of relationship: RelationshipLayout) -> Int {
        let destination = epoch(rootIndex: model.layouts[relationship.destinationIndex].rootIndex)
        guard relationship.description.isToMany else { return destination }
        return destination + epoch(rootIndex: model.layouts[relationship.sourceIndex].rootIndex)
    }

    func updateIsObserved() { isObserved = reportsToObservation || !watchers.isEmpty || isFollowed }

    /// Returns a temporary key that is unique in the process.
    func temporaryKey() -> Int64 { TemporaryKeys.next() }

    /// Releases objects without unsaved changes.
    func pruneChanges() {
        let gone = changes.prune()
        withExtendedLifetime(gone) {}
    }

    /// Removes all steps that can be undone and redone.
    func clearUndo() {
        undo?.clear()
        releaseDroppedObjects()
    }

    /// Releases the values of deleted objects that neither undo nor redo restores any more, because they may retain each other.
    func releaseDroppedObjects() {
        let objects = undo?.removeDroppedObjects() ?? []
        let overlays = objects.map(\.overlay)
        for object in objects { object.overlay = nil }
        // Released together at the end, since the `deinit` of an object may access others.
        withExtendedLifetime(overlays) {}
    }

    /// Releases all tracked objects.
    private func releaseTrackedObjects() {
        let before = changes
        changes = ChangeTracker()
        withExtendedLifetime(before) {}
    }

    /// Removes all objects and changes.
    func removeAllObjects() {
        identities.removeAll()
        releaseTrackedObjects()
        clearUnloadedDependents()
        clearUndo()
        lastVersions = [:]
        registrars = [:]
        endWatches()
        (unmerged, contested) = ([], [:])
        deferredError = nil
        beginEpochs()
        recordUnknownChanges()
    }

    /// Releases everything when the context is deallocated.
    ///
    /// Objects keep only their committed values.
    func close() {
        context = nil
        endFollowing()
        messenger?.close()
        for object in identities.all {
            object.overlay = nil
            object.group?.removeFetchedRelationships()
            object.isTracked = false
        }
        releaseTrackedObjects()
        clearUnloadedDependents()
        (unmerged, contested) = ([], [:])
        clearUndo()
        undo = nil
        lastVersions = [:]
        registrars = [:]
        endWatches()
    }
}

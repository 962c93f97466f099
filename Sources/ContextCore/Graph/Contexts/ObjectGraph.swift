import Observation

/// The objects of one context and what is known about them: what the roles of a context share.
///
/// Objects hold their graph by their groups, and the graph holds only changed objects, so a clean object lives as long as somebody wants it.
/// When its context goes away the graph is closed, which breaks the circles between changed objects.
///
/// It is used by one thread at a time, like its context, so none of its state is guarded.
final class ObjectGraph {
    let model: ObjectModel
    /// The context whose graph it is, until that goes away.
    // unowned(unsafe): the context takes itself out in its deinit, when it closes the graph; a weak reference would cost each block
    // memory of its own.
    unowned(unsafe) var context: ObjectContext?
    /// Where the graph is used, as far as that is known.
    var isolation = GraphIsolation.unknown
    /// What the context fetches from and saves to.
    let parent: any ContextParent
    /// What gives objects their identifiers.
    let identifiers: IdentifierSpaces
    /// One object an identifier.
    let identities: IdentityMap
    // Nothing that is done to the list while it changes comes back to the graph, and the check that would tell costs a new
    // object more than its place in it. Debug builds, and so the tests, still make it.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// What the next save is about.
    var changes = ChangeTracker()
    /// What happens when something is touched that has not been fetched.
    var faulting = FaultingPolicy()
    /// Whether an object has been inserted since identifiers were last given out.
    var hasTemporaryKeys = false
    /// What became of temporary keys.
    var permanentKeys = PermanentKeys()
    /// What is deleted with others by the next save, though there is no object of it.
    var unseen = UnseenDependents() { didSet { hasUnseenDependents = !unseen.owners.isEmpty } }
    /// Whether there is anything such; apart from it, as every object that is made asks.
    private(set) var hasUnseenDependents = false
    /// Counts changes, so that it can be told whether there were any.
    var changeCount = 0
    /// How many objects with many-to-many relationships there may be before those are looked for that only each other
    /// hold.
    var pairLimit = PairCollection.least
    /// Counts deletions and returns of objects, after which relationships may show other members.
    var deletionCount = 0
    /// Where changes of the store wait to be merged, in a context that follows them by itself.
    var inbox: ChangeMailbox?
    /// Objects that others have changed or deleted, and that could not follow without asking the parent; they do so next.
    var unmerged: Set<ManagedObject> = []
    /// Objects of which a property was changed here and there, with the slots of such properties, or that others have deleted: they follow
    /// when nothing is pending in them any more.
    var contested: [ManagedObject: Set<Int>] = [:]
    /// An error that a property could not throw.
    ///
    /// The next fetch or save does.
    var deferredError: (any Error)?
    /// Made when the first object needs it.
    private var emptyGroup: RowGroup?
    /// The object whose `awakeFromFetch` runs at the moment.
    ///
    /// What it sets in itself is no pending change.
    var awaking: ObjectIdentifier?
    /// Whether reads and writes of properties are reported to Observation.
    var reportsToObservation = false { didSet { lookForObservers() } }
    /// Who is told of changes of an object's properties, by object.
    var watchers: [ObjectIdentifier: [PropertyWatcher]] = [:] { didSet { lookForObservers() } }
    /// Whether anybody wants to know of changes of objects.
    private(set) var isObserved = false
    /// What notes the properties that are read, in a graph that only finds out which ones a key path names.
    let probe: KeyPathProbe?
    /// What notes changes so that they can be undone, if the context wants that.
    var undo: UndoLog? { didSet { notesUndo = undo != nil } }
    /// Whether there is such; apart from it, as every change asks.
    private(set) var notesUndo = false
    /// The last known version of each deleted object that may be inserted again: other contexts may still hold a row with it.
    var lastVersions: [ObjectID: Int64] = [:]
    /// Who follows what changes in the graph.
    var followers = GraphFollowers()
    /// Who tells others of the context's work, if anybody has wanted to hear of it.
    var messenger: ContextMessenger?
    /// What tells Observation about objects, in an observed context.
    var registrars: [ObjectIdentifier: ObservationRegistrar] = [:]
    /// The entities of the program's classes, as far as they were asked for, once there is more than one.
    var layoutsByClass: [ObjectIdentifier: EntityLayout] = [:]
    /// The class that was asked for last: programs make objects of one class in a row.
    var lastClass: ObjectIdentifier?
    // Unretained: the model keeps it, or the table of classes.
    var lastLayout: Unmanaged<EntityLayout>?

    init(model: ObjectModel, parent: any ContextParent) {
        self.model = model
        self.parent = parent
        identifiers = parent.identifiers
        probe = nil
        identities = IdentityMap(entityCount: model.layouts.count)
    }

    /// A graph without a store, whose objects only note what they are asked for.
    init(probe: KeyPathProbe) {
        model = .empty
        parent = ProbeParent()
        identifiers = parent.identifiers
        self.probe = probe
        identities = IdentityMap(entityCount: 1)
    }

    /// What objects without rows hold in the place of a group of theirs.
    @inline(__always)
    var groupWithoutRows: Unmanaged<RowGroup> {
        // Unretained: the graph keeps it, and objects do.
        emptyGroup.map(Unmanaged.passUnretained) ?? makeEmptyGroup()
    }

    @inline(never)
    private func makeEmptyGroup() -> Unmanaged<RowGroup> {
        let group = RowGroup()
        emptyGroup = group
        // Unretained, as above.
        return .passUnretained(group)
    }

    /// Counts the saves that changed something in each inheritance tree, by the root's position in the model.
    ///
    /// What was fetched along in an earlier epoch is out of date.
    var epochs: [Int] { model.layouts.indices.map(epoch) }

    /// Lets what was fetched along of an inheritance tree be out of date.
    func beginEpoch(rootIndex: Int) { identities.beginEpoch(rootIndex: rootIndex) }

    /// Lets all that was fetched along be out of date.
    func beginEpochs() {
        for rootIndex in model.layouts.indices { beginEpoch(rootIndex: rootIndex) }
    }

    /// How many saves have changed something in an inheritance tree.
    func epoch(rootIndex: Int) -> Int { identities.epoch(rootIndex: rootIndex) }

    /// What must not have moved on for what a relationship was seen to lead to.
    func epoch(of relationship: RelationshipLayout) -> Int {
        let destination = epoch(rootIndex: model.layouts[relationship.destinationIndex].rootIndex)
        guard relationship.description.isToMany else { return destination }
        return destination + epoch(rootIndex: model.layouts[relationship.sourceIndex].rootIndex)
    }

    func lookForObservers() { isObserved = reportsToObservation || !watchers.isEmpty || isFollowed }

    /// The next temporary key; no two objects of the process have the same, whatever their contexts are.
    func temporaryKey() -> Int64 { TemporaryKeys.next() }

    /// Lets go of objects that have nothing to save any more.
    func pruneChanges() {
        let gone = changes.prune()
        withExtendedLifetime(gone) {}
    }

    /// Lets go of all that the next save would be about.
    private func forgetChanges() {
        let before = changes
        changes = ChangeTracker()
        withExtendedLifetime(before) {}
    }

    /// Forgets all objects and changes, and begins anew.
    func forgetAll() {
        identities.removeAll()
        forgetChanges()
        forgetUnseenDependents()
        undo?.clear()
        lastVersions = [:]
        registrars = [:]
        endWatches()
        (unmerged, contested) = ([], [:])
        deferredError = nil
        beginEpochs()
        noteEverything()
    }

    /// Lets go of everything, when the context goes away.
    ///
    /// Objects keep their committed values, and nothing else.
    func close() {
        context = nil
        endFollowing()
        messenger?.close()
        for object in identities.all {
            object.overlay = nil
            object.group?.forgetRelated()
            object.isTracked = false
        }
        forgetChanges()
        forgetUnseenDependents()
        (unmerged, contested) = ([], [:])
        undo = nil
        lastVersions = [:]
        registrars = [:]
        endWatches()
    }
}

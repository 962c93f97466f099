/// A to-many relationship of one object: who is in it, as far as that is known, and what changed.
///
/// While it is not loaded, additions and removals are noted, and applied to what the store says once it is.
final class ToManyState {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    /// Whether another context may have changed the members of a loaded list with pending changes: these are merged when it is read next.
    private(set) var isStale = false
    // Sets of objects hash them by their addresses, which comes back to nothing of this, and the checks that
    // would tell were a seventh of what it costs to let somebody in. Debug builds, and so the tests, still make them.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// Who is in it, once loaded.
    private(set) var members: Set<ManagedObject> = []
    /// The same in order, for an ordered relationship; before it is loaded, those who came.
    private(set) var list: [ManagedObject] = []
    /// Whether all members came since the last save, as those of a new object did; then they are kept once.
    private var isAllNew: Bool
    // As for members.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// Who came since the last save, unless all did.
    private var newcomers: Set<ManagedObject> = []
    // As for members.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// Who went since the last save.
    private(set) var removed: Set<ManagedObject> = []
    /// Where each member of an ordered relationship stood when it was last saved.
    var positions: [ManagedObject: Int64] = [:]
    /// Whether members may stand in another order than when they were last saved.
    private var mayBeReordered = false
    /// The members as a collection of their class, kept until something changes.
    private var typed: Any?
    /// How many deletions and returns the graph had seen when the collection was made.
    private var typedAt = 0

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
        isAllNew = isLoaded
    }

    /// Who came since the last save.
    private(set) var added: Set<ManagedObject> {
        get { isAllNew ? members : newcomers }
        set {
            isAllNew = false
            newcomers = newValue
        }
    }

    /// Lets those who came since the last save be kept apart from the members.
    private func tellNewcomersApart() {
        if isAllNew { added = members }
    }

    /// The members in the order of the list, or in that of their keys.
    var orderedMembers: [ManagedObject] {
        isOrdered ? list : members.sorted { TemporaryKeys.precedes($0.key, $1.key) }
    }

    /// Whether the members are known, and need not be merged with those of the store first.
    var isCurrent: Bool { isLoaded && !isStale }

    var isDirty: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

    /// Whether those who were in it stand in another order now.
    var isReordered: Bool {
        if !mayBeReordered || !isLoaded { return mayBeReordered }
        let added = added
        if list.contains(where: { positions[$0] == nil && !added.contains($0) }) { return true }
        // As in the store, members at one position stand in the order of their keys: two contexts may have placed them there.
        let known = list.compactMap { member in positions[member].map { (position: $0, key: member.key) } }
        return zip(known, known.dropFirst()).contains { $0 > $1 }
    }

    /// Fills in what the store says, and applies what was noted before.
    ///
    /// - Parameter stored: The same in order, for an ordered relationship.
    func load(_ known: Set<ManagedObject> = [], _ stored: [ManagedObject] = []) {
        tellNewcomersApart()
        let wasLoaded = isLoaded
        (isLoaded, isStale) = (true, false)
        typed = nil
        if newcomers.isEmpty, removed.isEmpty, list.isEmpty {
            members = known
            list = stored
            return
        }
        if isOrdered {
            if wasLoaded {
                list = ListMerging.merge(
                    list, into: stored, added: newcomers, removed: removed, isReordered: mayBeReordered)
            } else {
                let pending = list.filter { !(newcomers.contains($0) && known.contains($0)) }
                let moved = Set(pending)
                list = stored.filter { !removed.contains($0) && !moved.contains($0) } + pending
            }
        }
        newcomers.subtract(known)
        removed.formIntersection(known)
        members = known.subtracting(removed).union(newcomers)
    }

    /// Lets somebody in.
    ///
    /// Returns false if it was in already.
    @discardableResult
    func add(_ object: ManagedObject, at index: Int? = nil) -> Bool {
        if isLoaded ? !members.insert(object).inserted : hasCome(object) { return false }
        typed = nil
        if removed.isEmpty || removed.remove(object) == nil {
            if !isAllNew { newcomers.insert(object) }
        } else if isOrdered {
            mayBeReordered = true
        }
        if isOrdered { list.insert(object, at: min(index ?? list.count, list.count)) }
        return true
    }

    /// Whether somebody came to a relationship that isn't loaded.
    private func hasCome(_ object: ManagedObject) -> Bool {
        // Who is in the list and not new went and came back.
        added.contains(object) || mayBeReordered && list.contains(object)
    }

    /// Takes somebody out.
    ///
    /// Returns false if it is known not to be in: others may have let it into a list that is stale.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        if isCurrent ? !members.contains(object) : removed.contains(object) { return false }
        typed = nil
        if !isAllNew, newcomers.remove(object) == nil { removed.insert(object) }
        if isLoaded { members.remove(object) }
        if isOrdered { list.removeAll { $0 === object } }
        return true
    }

    /// Removes a member that the store has, which others may have added since the members were loaded.
    func removeStored(_ object: ManagedObject) {
        remove(object)
        tellNewcomersApart()
        removed.insert(object)
    }

    /// Lets a member count as added, since the store doesn't have it any more.
    func renew(_ object: ManagedObject) {
        add(object)
        tellNewcomersApart()
        newcomers.insert(object)
        positions[object] = nil
    }

    /// Lets somebody who went and came back stand where he stood when it was last saved.
    func putBack(_ object: ManagedObject) {
        guard isOrdered, !added.contains(object), let index = list.firstIndex(where: { $0 === object }) else {
            return
        }
        typed = nil
        list.remove(at: index)
        guard isLoaded else {
            mayBeReordered = list.contains { !added.contains($0) }
            return
        }
        let place = positions[object] ?? .min
        let next = list.firstIndex { !added.contains($0) && (positions[$0] ?? .min) > place }
        list.insert(object, at: next ?? list.count)
    }

    /// Puts the members of a loaded, ordered relationship into another order.
    func reorder(_ order: [ManagedObject]) {
        guard list != order else { return }
        list = order
        mayBeReordered = true
        typed = nil
    }

    /// The members as a collection of their class, made anew if anything has changed.
    func typed<Members>(_ deletionCount: Int, _ make: () -> Members) -> Members {
        if typedAt == deletionCount, let known = typed as? Members { return known }
        let members = make()
        typed = members
        typedAt = deletionCount
        return members
    }

    // MARK: What the store has done

    /// Notes that everything has been saved but what is still pending; nil where nothing is.
    func settle(except isPending: ((ManagedObject) -> Bool)?) {
        // Nobody is looked at who need not be: members lie all over the memory.
        added = isPending.map { added.filter($0) } ?? []
        removed = isPending.map { removed.filter($0) } ?? []
        mayBeReordered = false
        if isOrdered, positions.count != list.count {
            positions = positions.filter { members.contains($0.key) }
        }
    }

    /// Commits the additions and removals of some members, and returns whether there were any.
    func commit(_ isSaved: (ManagedObject) -> Bool) -> Bool {
        let (came, went) = (added.filter(isSaved), removed.filter(isSaved))
        if came.isEmpty, went.isEmpty { return false }
        added.subtract(came)
        removed.subtract(went)
        for member in came.union(went) { positions[member] = nil }
        // Their rows don't say where they stand.
        if isOrdered, !came.isEmpty { mayBeReordered = true }
        return true
    }

    /// Lets somebody in whom the store knows to be in.
    func settleIn(_ object: ManagedObject) {
        tellNewcomersApart()
        let hasCome = newcomers.remove(object) != nil
        if !isLoaded {
            // Before it is loaded, those who came are in the list; this one has the place that others have given it.
            if isOrdered, hasCome { list.removeAll { $0 === object } }
            return
        }
        if removed.contains(object) { return }
        let isNew = members.insert(object).inserted
        if !isNew && !hasCome { return }
        typed = nil
        if !isOrdered { return }
        if isNew { list.append(object) }
        // Its position is the one that others have given it.
        isStale = true
    }

    /// Takes somebody out whom the store knows to be out.
    func settleOut(_ object: ManagedObject) {
        removed.remove(object)
        positions[object] = nil
        guard !added.contains(object), members.remove(object) != nil else { return }
        typed = nil
        if !isOrdered { return }
        list.removeAll { $0 === object }
        // Perhaps it was the only one that stood elsewhere.
        if mayBeReordered { mayBeReordered = isReordered }
    }

    /// Removes a member, and what is pending of it, as it refers to another owner in the store and here.
    func forget(_ object: ManagedObject) {
        tellNewcomersApart()
        newcomers.remove(object)
        // Before it is loaded, those who came are in the list.
        if isOrdered, !isLoaded { list.removeAll { $0 === object } }
        settleOut(object)
    }

    /// Cancels the pending removal of a member that refers to the owner in the store and here.
    func takeBackRemoval(of object: ManagedObject) { removed.remove(object) }

    /// Lets everybody count as new, because the store has lost its owner.
    func beginAnew() {
        if !isAllNew { members.formUnion(newcomers) }
        (isLoaded, isStale, isAllNew, newcomers) = (true, false, true, [])
        removed = []
        positions = [:]
    }

    /// Forgets what the store said, and keeps what is pending: it is put over what the store says next.
    ///
    /// A list keeps its members too, since they say in which order the pending ones are: they are merged when it is read next.
    func unload() {
        if !isLoaded { return }
        tellNewcomersApart()
        if isOrdered {
            isStale = true
            return
        }
        isLoaded = false
        members = []
        typed = nil
    }

    /// Releases the members of a loaded relationship without an order and without changes, and returns them; nil for
    /// any other.
    func release() -> Set<ManagedObject>? {
        if isOrdered || !isLoaded || isAllNew || isDirty || members.isEmpty { return nil }
        typed = nil
        defer { members = [] }
        return members
    }

    /// Takes the members back that it has released; nil where not all of them are left, so that it has to be loaded
    /// again.
    ///
    /// What has changed in between, by the `deinit` of a member that was let go of, stays.
    func restore(_ released: [ManagedObject]?) {
        guard isLoaded else { return }
        if let released {
            members.formUnion(released.lazy.filter { !self.removed.contains($0) })
        } else {
            unload()
        }
    }

    /// The same state apart from this one.
    func copy() -> ToManyState {
        let copy = ToManyState(isOrdered: isOrdered, isLoaded: isLoaded)
        copy.members = members
        copy.list = list
        (copy.isAllNew, copy.newcomers) = (isAllNew, newcomers)
        copy.removed = removed
        copy.positions = positions
        (copy.mayBeReordered, copy.isStale) = (mayBeReordered, isStale)
        return copy
    }
}

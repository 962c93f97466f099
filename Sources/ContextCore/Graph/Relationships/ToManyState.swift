/// The state of an object's to-many relationship: the loaded members and the pending changes.
///
/// Until it is loaded, additions and removals are recorded, and applied to the stored members when they are loaded.
final class ToManyState {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    /// Whether the stored members of a loaded list with pending changes may have changed since; the next access merges
    /// them into the list.
    private(set) var isStale = false
    // Sets of objects hash them by their addresses without calling back into this object, and the exclusivity checks took a seventh of the
    // time of an addition. Debug builds, and so the tests, still check.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// The members, once loaded.
    private(set) var members: Set<ManagedObject> = []
    /// The members in order, for an ordered relationship; before it is loaded, the added members.
    private(set) var list: [ManagedObject] = []
    /// Whether all members were added since the last save, as in a new object; then `addedMembers` is not used.
    private var isAllNew: Bool
    // As for `members`.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// The members that were added since the last save, unless all were.
    private var addedMembers: Set<ManagedObject> = []
    // As for `members`.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    /// The members that were removed since the last save.
    private(set) var removed: Set<ManagedObject> = []
    /// The stored position of each member of an ordered relationship.
    var positions: [ManagedObject: Int64] = [:]
    /// Whether the order of members may have changed since the last save.
    private var mayBeReordered = false
    /// The members as a collection of their class, cached until a change.
    private var typed: Any?
    /// The graph's deletion count when `typed` was cached.
    private var typedDeletionCount = 0

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
        isAllNew = isLoaded
    }

    /// The members that were added since the last save.
    private(set) var added: Set<ManagedObject> {
        get { isAllNew ? members : addedMembers }
        set {
            isAllNew = false
            addedMembers = newValue
        }
    }

    /// Stores the added members separately from the members.
    private func separateAddedMembers() {
        if isAllNew { added = members }
    }

    /// The members in the order of the list, or by key if there is no list.
    var orderedMembers: [ManagedObject] {
        isOrdered ? list : members.sorted { TemporaryKeys.precedes($0.key, $1.key) }
    }

    /// Whether the members are loaded and don't have to be merged with the stored ones first.
    var isCurrent: Bool { isLoaded && !isStale }

    var isDirty: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

    /// Whether the order of stored members has changed.
    var isReordered: Bool {
        if !mayBeReordered || !isLoaded { return mayBeReordered }
        let added = added
        if list.contains(where: { positions[$0] == nil && !added.contains($0) }) { return true }
        // As in the store, members at the same position are ordered by key: two contexts may have placed them there.
        let known = list.compactMap { member in positions[member].map { (position: $0, key: member.key) } }
        return zip(known, known.dropFirst()).contains { $0 > $1 }
    }

    /// Sets the stored members, and applies the recorded changes to them.
    ///
    /// - Parameters:
    ///   - known: The stored members.
    ///   - stored: The stored members in order, for an ordered relationship.
    func load(_ known: Set<ManagedObject> = [], _ stored: [ManagedObject] = []) {
        separateAddedMembers()
        let wasLoaded = isLoaded
        (isLoaded, isStale) = (true, false)
        typed = nil
        // Positions would retain former members.
        if positions.count > known.count { positions = positions.filter { known.contains($0.key) } }
        if addedMembers.isEmpty, removed.isEmpty, list.isEmpty {
            members = known
            list = stored
            return
        }
        if isOrdered {
            if wasLoaded {
                list = ListMerging.merge(
                    list, into: stored, added: addedMembers, removed: removed, isReordered: mayBeReordered)
            } else {
                let pending = list.filter { !(addedMembers.contains($0) && known.contains($0)) }
                let moved = Set(pending)
                list = stored.filter { !removed.contains($0) && !moved.contains($0) } + pending
            }
        }
        addedMembers.subtract(known)
        removed.formIntersection(known)
        members = known.subtracting(removed).union(addedMembers)
    }

    /// Adds a member.
    ///
    /// - Returns: False if it was a member already.
    @discardableResult
    func add(_ object: ManagedObject, at index: Int? = nil) -> Bool {
        if isLoaded ? !members.insert(object).inserted : wasAdded(object) { return false }
        typed = nil
        if removed.isEmpty || removed.remove(object) == nil {
            if !isAllNew { addedMembers.insert(object) }
        } else if isOrdered {
            mayBeReordered = true
        }
        if isOrdered { list.insert(object, at: min(index ?? list.count, list.count)) }
        return true
    }

    /// Whether an object was added to a relationship that isn't loaded.
    private func wasAdded(_ object: ManagedObject) -> Bool {
        // An object in the list that is not new was removed and added again.
        added.contains(object) || mayBeReordered && list.contains(object)
    }

    /// Removes a member.
    ///
    /// - Returns: False if the object is certainly not a member. A stale list may lack members that the store has.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        if isCurrent ? !members.contains(object) : removed.contains(object) { return false }
        typed = nil
        if !isAllNew, addedMembers.remove(object) == nil { removed.insert(object) }
        if isLoaded { members.remove(object) }
        if isOrdered { list.removeAll { $0 === object } }
        return true
    }

    /// Removes a stored member, which may have been added to the store since the members were loaded.
    func removeStored(_ object: ManagedObject) {
        remove(object)
        separateAddedMembers()
        removed.insert(object)
    }

    /// Marks a member as added, because the store doesn't have it any more.
    func markAdded(_ object: ManagedObject) {
        add(object)
        separateAddedMembers()
        addedMembers.insert(object)
        positions[object] = nil
    }

    /// Moves a member that was removed and added again to its stored position.
    func restorePosition(_ object: ManagedObject) {
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
        // Else a list that is merged with newer stored members would keep its order.
        mayBeReordered = isReordered
    }

    /// Changes the order of a loaded, ordered relationship.
    func reorder(_ order: [ManagedObject]) {
        guard list != order else { return }
        list = order
        mayBeReordered = true
        typed = nil
    }

    /// Returns the members as a collection of their class, from the cache if nothing has changed.
    func typed<Members>(_ deletionCount: Int, _ make: () -> Members) -> Members {
        if typedDeletionCount == deletionCount, let known = typed as? Members { return known }
        let members = make()
        typed = members
        typedDeletionCount = deletionCount
        return members
    }

    // MARK: Saves and changes of the store

    /// Marks changes as saved.
    ///
    /// - Parameter isPending: Whether a member is not saved yet; nil if all are saved.
    func markSaved(except isPending: ((ManagedObject) -> Bool)?) {
        // With nil, no member is examined: members are scattered in memory.
        added = isPending.map { added.filter($0) } ?? []
        removed = isPending.map { removed.filter($0) } ?? []
        mayBeReordered = false
        if isOrdered, positions.count != list.count {
            positions = positions.filter { members.contains($0.key) }
        }
    }

    /// Marks the additions and removals of the matching members as saved, and returns whether there were any.
    func commit(_ isSaved: (ManagedObject) -> Bool) -> Bool {
        let (came, went) = (added.filter(isSaved), removed.filter(isSaved))
        if came.isEmpty, went.isEmpty { return false }
        added.subtract(came)
        removed.subtract(went)
        for member in came.union(went) { positions[member] = nil }
        // The positions of these members are unknown.
        if isOrdered, !came.isEmpty { mayBeReordered = true }
        return true
    }

    /// Adds a member that the store has.
    func addStoredMember(_ object: ManagedObject) {
        separateAddedMembers()
        let wasAdded = addedMembers.remove(object) != nil
        if !isLoaded {
            // Before loading, the list contains added members; this member gets its stored position when it is loaded.
            if isOrdered, wasAdded { list.removeAll { $0 === object } }
            return
        }
        if removed.contains(object) { return }
        let isNew = members.insert(object).inserted
        if !isNew && !wasAdded { return }
        typed = nil
        if !isOrdered { return }
        if isNew { list.append(object) }
        // Its position has to be read from the store.
        isStale = true
    }

    /// Removes a member that the store doesn't have.
    func removeMissingMember(_ object: ManagedObject) {
        removed.remove(object)
        positions[object] = nil
        guard !added.contains(object), members.remove(object) != nil else { return }
        typed = nil
        if !isOrdered { return }
        list.removeAll { $0 === object }
        // It may have been the only moved member.
        if mayBeReordered { mayBeReordered = isReordered }
    }

    /// Removes a member and its pending changes, because it refers to another owner both in the store and in the
    /// context.
    func forget(_ object: ManagedObject) {
        separateAddedMembers()
        addedMembers.remove(object)
        // Before loading, the list contains added members.
        if isOrdered, !isLoaded { list.removeAll { $0 === object } }
        removeMissingMember(object)
    }

    /// Cancels the pending removal of a member that refers to the owner both in the store and in the context.
    func cancelRemoval(of object: ManagedObject) { removed.remove(object) }

    /// Marks all members as added, because the store has deleted the owner.
    func markAllAdded() {
        if !isAllNew { members.formUnion(addedMembers) }
        (isLoaded, isStale, isAllNew, addedMembers) = (true, false, true, [])
        removed = []
        positions = [:]
    }

    /// Unloads the stored members and keeps pending changes, which are applied when the members are loaded again.
    ///
    /// A list keeps its members too, because they define the order of the pending ones; the next access merges them.
    func unload() {
        if !isLoaded { return }
        separateAddedMembers()
        if isOrdered {
            isStale = true
            return
        }
        isLoaded = false
        members = []
        typed = nil
    }

    /// A released member, with its position in an ordered relationship.
    struct Member {
        let object: ManagedObject
        let position: Int64?
    }

    /// Releases and returns the members of a loaded relationship without changes; nil for other relationships.
    func release() -> [Member]? {
        if !isLoaded || isAllNew || isDirty || members.isEmpty { return nil }
        typed = nil
        defer { (members, list, positions) = ([], [], [:]) }
        return (isOrdered ? list : Array(members)).map { Member(object: $0, position: positions[$0]) }
    }

    /// Restores the members that were released, except for those that were removed since by the `deinit` of a member.
    ///
    /// - Parameter released: The members; nil if some were deallocated, so that the relationship has to be loaded
    ///   again.
    func restore(_ released: [Member]?) {
        guard isLoaded else { return }
        guard let released else {
            (isLoaded, isStale, members, typed) = (false, false, [], nil)
            return
        }
        let remaining = released.filter { !removed.contains($0.object) }
        members.formUnion(remaining.map(\.object))
        guard isOrdered else { return }
        list = remaining.map(\.object) + list
        for member in remaining { positions[member.object] = member.position }
    }

    /// Returns an independent copy.
    func copy() -> ToManyState {
        let copy = ToManyState(isOrdered: isOrdered, isLoaded: isLoaded)
        copy.members = members
        copy.list = list
        (copy.isAllNew, copy.addedMembers) = (isAllNew, addedMembers)
        copy.removed = removed
        copy.positions = positions
        (copy.mayBeReordered, copy.isStale) = (mayBeReordered, isStale)
        return copy
    }
}

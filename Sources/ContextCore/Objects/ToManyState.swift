/// A to-many relationship of one object: who is in it, as far as that is known, and what changed.
///
/// While it is not loaded, additions and removals are noted, and applied to what the store says once it is.
final class ToManyState {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    /// Who is in it, once loaded.
    private(set) var members: Set<ManagedObject> = []
    /// The same in order, for an ordered relationship.
    private(set) var list: [ManagedObject] = []
    /// Who came since the last save.
    private(set) var added: Set<ManagedObject> = []
    /// Who went since the last save.
    private(set) var removed: Set<ManagedObject> = []
    /// Where each member of an ordered relationship stood when it was last saved.
    var positions: [ManagedObject: Int64] = [:]
    /// Whether the order was changed.
    private(set) var isReordered = false
    /// The members as a collection of their class, kept until something changes.
    var typed: Any?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
    }

    var isDirty: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

    /// Fills in what the store says, and applies what was noted before.
    func load(_ stored: [ManagedObject]) {
        isLoaded = true
        typed = nil
        members = Set(stored)
        members.subtract(removed)
        if isOrdered {
            let pending = list
            list = stored.filter { !removed.contains($0) } + pending.filter { !members.contains($0) }
        }
        members.formUnion(added)
    }

    /// Lets somebody in.
    ///
    /// Returns false if it was in already.
    @discardableResult
    func add(_ object: ManagedObject, at index: Int? = nil) -> Bool {
        if isLoaded ? members.contains(object) : added.contains(object) { return false }
        typed = nil
        if removed.remove(object) == nil { added.insert(object) } else if isOrdered { isReordered = true }
        if isLoaded { members.insert(object) }
        if isOrdered { list.insert(object, at: min(index ?? list.count, list.count)) }
        return true
    }

    /// Takes somebody out.
    ///
    /// Returns false if it is known not to be in.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        if isLoaded ? !members.contains(object) : removed.contains(object) { return false }
        typed = nil
        if added.remove(object) == nil { removed.insert(object) }
        if isLoaded { members.remove(object) }
        if isOrdered { list.removeAll { $0 === object } }
        return true
    }

    /// Puts the members of a loaded, ordered relationship into another order.
    func reorder(_ order: [ManagedObject]) {
        guard list != order else { return }
        list = order
        isReordered = true
        typed = nil
    }

    /// Notes that everything has been saved.
    func settle() {
        added = []
        removed = []
        isReordered = false
    }
}

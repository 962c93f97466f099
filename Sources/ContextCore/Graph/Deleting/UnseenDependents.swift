/// Deleted objects with dependents that go with them and that nobody has looked at.
///
/// As long as the context has no object of such a dependent, and nothing asks for one, none is made: the save finds the rows and
/// deletes them. What asks for anything that may be one of them makes objects of all first, which are deleted like all others.
struct UnseenDependents {
    /// A deleted object, and a cascade from it.
    struct Owner {
        let object: ManagedObject
        let slot: Int
    }

    private(set) var owners: [Owner] = []
    /// Where there are dependents: inheritance trees, by their roots' positions in the model.
    private(set) var roots: Set<Int> = []
    /// Whether objects of some were made before the rest could not be loaded, so that none can be left unseen any more.
    var isPartlySeen = false

    mutating func append(_ owner: Owner, _ reach: CascadeReach) {
        owners.append(owner)
        if !reach.roots.isSubset(of: roots) { roots.formUnion(reach.roots) }
    }

    /// Returns all, and has none of them any more.
    mutating func takeAll() -> [Owner] {
        let taken = owners
        owners = []
        roots = []
        isPartlySeen = false
        return taken
    }
}

extension ObjectGraph {
    /// Whether dependents may be deleted without being seen: whether nobody wants to hear of each of them, or could bring one back, and
    /// the store is as it is until they are saved.
    var mayLeaveDependentsUnseen: Bool {
        parent.isTransaction && undo == nil && !isObserved && messenger == nil
    }

    /// Leaves those at the other end of a cascade unseen where that can be done; tells whether it can.
    ///
    /// It can where the context has no object that may be one of them, and nothing is known or pending of the relationship.
    func leavesUnseen(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) -> Bool {
        guard mayLeaveDependentsUnseen, object.state != .inserted, object.state != .detached,
            let reach = model.cascadeReaches[ObjectIdentifier(relationship)]
        else { return false }
        if case .collection? = object.overlay?.slots[slot] { return false }
        return reach.roots.allSatisfy { identities.isEmpty(rootIndex: $0) }
    }

    /// Notes a deleted object whose dependents are left unseen.
    func noteUnseen(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) {
        guard let reach = model.cascadeReaches[ObjectIdentifier(relationship)] else { return }
        unseen.append(UnseenDependents.Owner(object: object, slot: slot), reach)
    }

    /// Makes objects of dependents that nobody has seen, and deletes those.
    ///
    /// Those that can't be loaded stay unseen, and the next fetch or save says why.
    func seeDependents() {
        guard hasUnseenDependents else { return }
        let owners = unseen.takeAll()
        let left = DeletePropagation(graph: self, leavesUnseen: false).deleteDependents(of: owners)
        for owner in left {
            if let relationship = owner.object.entity.properties[owner.slot].relationship {
                noteUnseen(owner.object, owner.slot, relationship)
            }
        }
        unseen.isPartlySeen = !left.isEmpty
    }

    /// The same where some of them may be in an inheritance tree.
    func seeDependents(rootIndex: Int) {
        if hasUnseenDependents, unseen.roots.contains(rootIndex) { seeDependents() }
    }

    /// Forgets them, since they are deleted now, or not to be deleted any more.
    func forgetUnseenDependents() {
        if !hasUnseenDependents, !unseen.isPartlySeen { return }
        _ = unseen.takeAll()
    }
}

/// The deleted objects whose dependents are not loaded and are deleted by the save.
///
/// The save finds and deletes the rows of the dependents, as long as the context has and reads none of them. A read
/// that may include one of them first loads all of them and deletes them like other objects.
struct UnloadedDependents {
    /// A deleted object with one of its cascades.
    struct Owner {
        let object: ManagedObject
        let slot: Int
    }

    private(set) var owners: [Owner] = []
    /// The inheritance trees of the dependents, as positions of their root entities in the model.
    private(set) var roots: Set<Int> = []
    /// Whether loading the dependents failed after some of them had been loaded, so that a save has to load the rest
    /// first.
    var isPartlyLoaded = false

    mutating func append(_ owner: Owner, _ reach: CascadeReach) {
        owners.append(owner)
        if !reach.roots.isSubset(of: roots) { roots.formUnion(reach.roots) }
    }

    /// Removes and returns all owners.
    mutating func removeAll() -> [Owner] {
        let removed = owners
        owners = []
        roots = []
        isPartlyLoaded = false
        return removed
    }
}

extension ObjectGraph {
    /// Whether dependents may be deleted without loading them: in a transaction, if single deletions are neither
    /// observed nor undoable.
    var canLeaveDependentsUnloaded: Bool {
        parent.isTransaction && undo == nil && !isObserved && messenger == nil
    }

    /// Whether the dependents of a cascade may stay unloaded.
    ///
    /// They may stay unloaded if the context has no object of their inheritance trees, and the relationship is neither
    /// loaded nor changed.
    func canLeaveUnloaded(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) -> Bool {
        guard canLeaveDependentsUnloaded, object.state != .inserted, object.state != .detached,
            let reach = model.cascadeReaches[ObjectIdentifier(relationship)]
        else { return false }
        if case .collection? = object.overlay?.slots[slot] { return false }
        return reach.roots.allSatisfy { identities.isEmpty(rootIndex: $0) }
    }

    /// Records a deleted object whose dependents stay unloaded.
    func recordUnloadedDependents(_ object: ManagedObject, _ slot: Int, _ relationship: RelationshipLayout) {
        guard let reach = model.cascadeReaches[ObjectIdentifier(relationship)] else { return }
        unloadedDependents.append(UnloadedDependents.Owner(object: object, slot: slot), reach)
    }

    /// Loads the dependents of deleted objects and deletes them.
    ///
    /// If some can't be loaded, they stay unloaded, and the next fetch or save throws the error.
    func loadDependents() {
        guard hasUnloadedDependents else { return }
        let owners = unloadedDependents.removeAll()
        let left = DeletePropagation(graph: self, leavesDependentsUnloaded: false).deleteDependents(
            of: owners)
        for owner in left {
            if let relationship = owner.object.entity.properties[owner.slot].relationship {
                recordUnloadedDependents(owner.object, owner.slot, relationship)
            }
        }
        unloadedDependents.isPartlyLoaded = !left.isEmpty
    }

    /// Loads and deletes the dependents if some of them may be in an inheritance tree.
    func loadDependents(rootIndex: Int) {
        if hasUnloadedDependents, unloadedDependents.roots.contains(rootIndex) { loadDependents() }
    }

    /// Removes the record of unloaded dependents, after they have been deleted or the deletion was reverted.
    func clearUnloadedDependents() {
        if !hasUnloadedDependents, !unloadedDependents.isPartlyLoaded { return }
        _ = unloadedDependents.removeAll()
    }
}

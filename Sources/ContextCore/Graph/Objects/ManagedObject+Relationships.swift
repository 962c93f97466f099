// Typed accessors of relationships, by slot. `@Entity` writes calls of them.
extension ManagedObject {
    /// Reads a to-one relationship.
    public final func value<Target: ManagedObject>(at slot: Int) -> Target? {
        if let probe = graph.probe { return probe.follow(slot, of: self) }
        return graph.target(of: self, slot: slot) as? Target
    }

    /// Reads a to-one relationship that always leads somewhere.
    ///
    /// Until it has been set, it leads to an object that is not part of the context.
    public final func value<Target: ManagedObject>(at slot: Int) -> Target {
        if let probe = graph.probe { return probe.follow(slot, of: self) }
        if let target = graph.target(of: self, slot: slot) as? Target { return target }
        return graph.detachedObject(of: Target.self, for: self, slot: slot)
    }

    /// Writes a to-one relationship, and the relationship that leads back.
    public final func setValue<Target: ManagedObject>(_ target: Target?, at slot: Int) {
        InverseMaintenance(graph: graph).set(self, slot, to: target)
    }

    /// Reads a to-many relationship.
    public final func value<Target: ManagedObject>(at slot: Int) -> Set<Target> {
        if let probe = graph.probe { return Set<Target>(probe.members(slot, of: self, as: Target.self)) }
        let state = graph.loadedCollection(of: self, slot: slot)
        return state.typed(graph.deletionCount) { TypedMembers.set(state.members) }
    }

    /// Writes a to-many relationship, and the relationships that lead back.
    public final func setValue<Target: ManagedObject>(_ targets: Set<Target>, at slot: Int) {
        InverseMaintenance(graph: graph).set(self, slot, to: Set(targets.lazy.map { $0 as ManagedObject }))
    }

    /// Reads an ordered to-many relationship.
    public final func value<Target: ManagedObject>(at slot: Int) -> [Target] {
        if let probe = graph.probe { return probe.members(slot, of: self, as: Target.self) }
        let state = graph.loadedCollection(of: self, slot: slot)
        return state.typed(graph.deletionCount) { TypedMembers.list(state.list) }
    }

    /// Writes an ordered to-many relationship, and the relationships that lead back.
    public final func setValue<Target: ManagedObject>(_ targets: [Target], at slot: Int) {
        InverseMaintenance(graph: graph).set(self, slot, toOrder: targets.map { $0 as ManagedObject })
    }
}

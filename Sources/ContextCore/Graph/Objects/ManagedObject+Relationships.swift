// Typed accessors of relationships by slot, which `@Entity` calls.
extension ManagedObject {
    /// Returns the target of an optional to-one relationship.
    public final func value<Target: ManagedObject>(at slot: Int) -> Target? {
        if let probe = graph.probe { return probe.follow(slot, of: self) }
        return graph.target(of: self, slot: slot) as? Target
    }

    /// Returns the target of a required to-one relationship.
    ///
    /// Until the relationship has been set, this is a detached object.
    public final func value<Target: ManagedObject>(at slot: Int) -> Target {
        if let probe = graph.probe { return probe.follow(slot, of: self) }
        if let target = graph.target(of: self, slot: slot) as? Target { return target }
        return graph.detachedObject(of: Target.self, for: self, slot: slot)
    }

    /// Sets a to-one relationship and its inverse.
    public final func setValue<Target: ManagedObject>(_ target: Target?, at slot: Int) {
        InverseMaintenance(graph: graph).set(self, slot, to: target)
    }

    /// Returns the members of a to-many relationship.
    public final func value<Target: ManagedObject>(at slot: Int) -> Set<Target> {
        if let probe = graph.probe { return Set<Target>(probe.members(slot, of: self, as: Target.self)) }
        let state = graph.loadedCollection(of: self, slot: slot)
        return state.typed(graph.deletionCount) { TypedMembers.set(state.members) }
    }

    /// Sets a to-many relationship and its inverses.
    public final func setValue<Target: ManagedObject>(_ targets: Set<Target>, at slot: Int) {
        InverseMaintenance(graph: graph).set(self, slot, to: Set(targets.lazy.map { $0 as ManagedObject }))
    }

    /// Returns the members of an ordered to-many relationship.
    public final func value<Target: ManagedObject>(at slot: Int) -> [Target] {
        if let probe = graph.probe { return probe.members(slot, of: self, as: Target.self) }
        let state = graph.loadedCollection(of: self, slot: slot)
        return state.typed(graph.deletionCount) { TypedMembers.list(state.list) }
    }

    /// Sets an ordered to-many relationship and its inverses.
    public final func setValue<Target: ManagedObject>(_ targets: [Target], at slot: Int) {
        InverseMaintenance(graph: graph).set(self, slot, toOrder: targets.map { $0 as ManagedObject })
    }
}

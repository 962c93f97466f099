extension ObjectContext {
    /// Fetches an object's row again.
    ///
    /// - Parameters:
    ///   - object: One of this context's objects.
    ///   - mergeChanges: Whether changes that are not saved stay, over the new committed values.
    /// - Throws: ``StoreError/Code/objectNotFound`` when there is no row any more.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool = true) throws {
        graph.requireOwn(object, toBe: "refreshed")
        defer { graph.tellFollowers() }
        try Refreshing(graph: graph).refresh(object, mergeChanges: mergeChanges)
    }

    /// Turns every registered object into a fault, so that what is touched next is fetched again.
    ///
    /// - Parameter mergeChanges: whether changes that are not saved stay, over new committed values.
    public func refreshAll(mergeChanges: Bool = true) throws {
        defer { graph.tellFollowers() }
        try Refreshing(graph: graph).refreshAll(mergeChanges: mergeChanges)
    }

    /// Lets go of an object's values; touching it fetches them again.
    ///
    /// Changes of it that are not saved are lost.
    public func turnIntoFault(_ object: ManagedObject) {
        graph.requireOwn(object, toBe: "turned into a fault")
        guard object.state == .unchanged || object.state == .updated else { return }
        Refreshing(graph: graph).revert(object)
        graph.turnIntoFault(object)
        graph.pruneChanges()
        graph.didChangeAll(object)
        graph.tellFollowers()
    }

    /// Undoes everything that has not been saved.
    public func rollback() {
        Refreshing(graph: graph).rollback()
        graph.tellFollowers()
    }

    /// Undoes everything that has not been saved here and in the contexts above, up to the store.
    ///
    /// Where a context above belongs to another isolation and can't be had from here, nothing is undone there, and the next fetch or
    /// save throws why.
    public func rollbackToStore() {
        rollback()
        if let above = graph.parent as? ActorParent {
            do { try above.inOneTurn { $0.rollbackToStore() } } catch { return graph.keep(error) }
        } else if let parent {
            parent.rollbackToStore()
        } else {
            return
        }
        for object in graph.identities.all where object.state == .unchanged {
            graph.turnIntoFault(object)
            graph.didChangeAll(object)
        }
        graph.noteEverything()
        graph.tellFollowers()
    }

    /// Forgets all objects.
    ///
    /// Those that are still held are no part of the context any more.
    public func reset() {
        for object in graph.identities.all {
            object.state = .detached
            object.overlay = nil
            object.isTracked = false
        }
        graph.forgetAll()
        graph.tellFollowers()
    }
}

extension ObjectContext {
    /// Fetches an object's row again.
    ///
    /// - Parameters:
    ///   - object: One of this context's objects.
    ///   - mergeChanges: Whether to keep unsaved changes and apply them to the new values.
    /// - Throws: ``StoreError/Code/objectNotFound`` if the row no longer exists.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool = true) throws {
        graph.requireOwnership(object, toBe: "refreshed")
        defer { graph.notifyFollowers() }
        try Refreshing(graph: graph).refresh(object, mergeChanges: mergeChanges)
    }

    /// Turns the registered objects into faults, and fetches those with unsaved changes again.
    ///
    /// - Parameter mergeChanges: Whether to keep unsaved changes and apply them to the new values.
    public func refreshAll(mergeChanges: Bool = true) throws {
        defer { graph.notifyFollowers() }
        try Refreshing(graph: graph).refreshAll(mergeChanges: mergeChanges)
    }

    /// Releases an object's values, so that the next access fetches them again.
    ///
    /// Unsaved changes of the object are lost.
    public func refault(_ object: ManagedObject) {
        graph.requireOwnership(object, toBe: "turned into a fault")
        guard object.state == .unchanged || object.state == .updated else { return }
        Refreshing(graph: graph).revert(object)
        graph.refault(object)
        graph.pruneChanges()
        graph.didChangeAll(object)
        graph.notifyFollowers()
    }

    /// Discards all unsaved changes.
    public func rollback() {
        Refreshing(graph: graph).rollback()
        graph.notifyFollowers()
    }

    /// Discards all unsaved changes in this context and in its parents, up to the store.
    ///
    /// If a parent belongs to another isolation and can't be reached, its changes are kept, and the next fetch or save throws the error.
    public func rollbackToStore() {
        rollback()
        if let above = graph.parent as? any IsolatedParent {
            do { try above.withExclusiveAccess { $0.rollbackToStore() } } catch {
                return graph.deferError(error)
            }
        } else if let parent {
            parent.rollbackToStore()
        } else {
            return
        }
        for object in graph.identities.all where object.state == .unchanged {
            graph.refault(object)
            graph.didChangeAll(object)
        }
        graph.recordUnknownChanges()
        graph.notifyFollowers()
    }

    /// Removes all objects from the context.
    ///
    /// Objects that the program still references are detached.
    public func reset() {
        for object in graph.identities.all {
            object.state = .detached
            object.overlay = nil
            object.isTracked = false
        }
        graph.removeAllObjects()
        graph.notifyFollowers()
    }
}

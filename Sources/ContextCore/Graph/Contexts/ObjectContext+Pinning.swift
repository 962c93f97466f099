extension ObjectContext {
    /// Whether everything that the context fetches comes from one snapshot of the store.
    ///
    /// True in the blocks of ``Store/read(_:overflow:fileID:line:_:)`` and
    /// ``Store/write(_:lane:isolation:retries:overflow:fileID:line:_:)``, and after ``pin()`` in long-lived contexts and their children.
    public var isPinned: Bool { (try? withTopmostContext { $0.graph.longLivedParent?.isPinned }) ?? true }

    /// Pins the context and its children to the current snapshot of the store.
    ///
    /// ```swift
    /// try context.pin()
    /// let games = try context.fetch(Game.self)        // both fetches
    /// let players = try context.count(Player.self)    // read the same snapshot
    /// try context.unpin()
    /// ```
    ///
    /// Later fetches and faults read that snapshot, regardless of other saves, so the objects of the context are always
    /// consistent with each other. The context gets a newer snapshot when it is pinned again, and when it saves or
    /// performs a batch, even if that ends in a conflict. After ``unpin()`` each fetch reads the newest state.
    ///
    /// Objects that have been fetched keep their values until they are refreshed. When the context gets a newer snapshot,
    /// it merges the changes that were passed to ``merge(_:)`` in the meantime and, if it merges automatically, the commits
    /// in between. Children in other isolations merge them at their next fetch.
    ///
    /// A pinned snapshot occupies a session of the store, and keeps the database from reclaiming overwritten rows. In a block of a
    /// store, which reads one snapshot anyway, this method does nothing.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/concurrentReads``, where a snapshot would
    ///   block all writers; and errors of opening a session. The context is not pinned then.
    public func pin() throws { try withTopmostContext { try $0.pinTopmostContext() } }

    private func pinTopmostContext() throws {
        guard let store = graph.longLivedParent else { return }
        if !store.canPinSnapshots {
            throw StoreError(
                .unsupportedRequest,
                "This store can't pin a snapshot, because an open snapshot would block all saves.",
                remedy:
                    "Read values that must be consistent in one block of store.read, or open the file with journal=wal."
            )
        }
        let wasPinned = store.isPinned
        store.releaseSnapshot(isPinned: true)
        do {
            try ChangeMerging(graph: graph).mergeInboxWithChildren()
            try store.pinSnapshot()
        } catch {
            store.releaseSnapshot(isPinned: wasPinned)
            throw error
        }
        graph.notifyFollowers()
    }

    /// Unpins the context and its children, so that each fetch reads the newest state again.
    public func unpin() throws {
        try withTopmostContext { root in
            root.graph.longLivedParent?.releaseSnapshot(isPinned: false)
            try ChangeMerging(graph: root.graph).mergeInboxWithChildren()
            root.graph.notifyFollowers()
        }
    }

    /// Runs a closure with the topmost context, whose parent is the store, in the isolation of that context.
    private func withTopmostContext<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        if let above = graph.parent as? any IsolatedParent {
            return try above.withExclusiveAccess { try $0.withTopmostContext(body) }
        }
        guard let parent else { return try body(self) }
        return try parent.withTopmostContext(body)
    }
}

extension ObjectGraph {
    /// The store, if the context doesn't belong to a block.
    var longLivedParent: (any LongLivedParent)? { parent as? any LongLivedParent }
}

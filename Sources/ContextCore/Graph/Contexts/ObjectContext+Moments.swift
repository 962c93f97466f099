extension ObjectContext {
    /// Whether everything that the context fetches is of one moment of the store.
    ///
    /// That is so in the blocks of ``Store/read(_:whenFull:fileID:line:_:)`` and ``Store/write(_:lane:isolation:retries:whenFull:fileID:line:_:)``, and in a context that lives
    /// long, and its children, after ``pin()``.
    public var isPinned: Bool { (try? withRoot { $0.graph.longLivedParent?.isPinned }) ?? true }

    /// Lets the context, and all its children, see the store as it is now, until it moves on.
    ///
    /// ```swift
    /// try context.pin()
    /// let games = try context.fetch(Game.self)        // and whatever is fetched later
    /// let players = try context.count(Player.self)    // is of this moment
    /// try context.unpin()
    /// ```
    ///
    /// Requests and faults are answered from that moment, whoever saves in the meantime; a request has no moment of its own, so that
    /// the objects of one context always go together. The context moves on when it is pinned again, when it saves or performs a batch
    /// (also one that meets a conflict, which is with what is newer), and to whatever is newest at each fetch after ``unpin()``. Objects that have been fetched stay as they are until they are
    /// refreshed; a context that merges changes automatically merges what came in between when it moves on.
    ///
    /// A moment costs a session of the store for as long as it is held, and keeps the database from clearing away what has been
    /// overwritten since. In a block of a store, which sees one moment anyway, it does nothing.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/readsBesideWrites``, where it would keep
    ///   everybody from saving; and what opening a session throws. Then the context holds no moment.
    public func pin() throws { try withRoot { try $0.pinItself() } }

    private func pinItself() throws {
        guard let store = graph.longLivedParent else { return }
        if !store.canHoldMoments {
            throw StoreError(
                .unsupportedRequest,
                "A moment of this store can't be held: nobody could save as long as it was.",
                remedy:
                    "Read what has to go together in one block of store.read, or open the file with journal=wal."
            )
        }
        let wasPinned = store.isPinned
        store.moveOn(isPinned: true)
        do {
            try graph.begin()
            try store.holdMoment()
        } catch {
            store.moveOn(isPinned: wasPinned)
            throw error
        }
    }

    /// Lets the context, and all its children, see the newest moment at each fetch again.
    public func unpin() throws {
        try withRoot { root in
            root.graph.longLivedParent?.moveOn(isPinned: false)
            try root.graph.begin()
        }
    }

    /// Does something with the context above all others, whose parent is the store, whichever isolation has it.
    private func withRoot<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        if let above = graph.parent as? ActorParent { return try above.inOneTurn { try $0.withRoot(body) } }
        guard let parent else { return try body(self) }
        return try parent.withRoot(body)
    }
}

extension ObjectGraph {
    /// The store, in a context that belongs to no block.
    var longLivedParent: (any LongLivedParent)? { parent as? any LongLivedParent }
}

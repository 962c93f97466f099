extension ObjectContext {
    /// Whether everything that the context fetches is of one moment of the store.
    ///
    /// That is so in the blocks of ``Store/read(_:fileID:line:_:)`` and ``Store/write(_:lane:retries:fileID:line:_:)``, and in a context that lives
    /// long, and its children, after ``pin()``.
    public var isPinned: Bool { root.graph.longLivedParent?.isPinned ?? true }

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
    public func pin() throws {
        let graph = root.graph
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
        let graph = root.graph
        graph.longLivedParent?.moveOn(isPinned: false)
        try graph.begin()
    }

    /// The context above all others, whose parent is the store.
    private var root: ObjectContext { parent?.root ?? self }
}

extension ObjectGraph {
    /// The store, in a context that belongs to no block.
    var longLivedParent: (any LongLivedParent)? { parent as? any LongLivedParent }
}

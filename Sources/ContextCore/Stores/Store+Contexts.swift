extension Store {
    /// Makes a long-lived context on its own executor.
    ///
    /// - Parameters:
    ///   - name: The context's name, in the history and in errors.
    ///   - lane: The lane of its saves; all writes of a lane, of contexts and of blocks, keep their order: see
    ///     ``StoreOptions/WriteOrder/concurrent(limit:)``.
    ///   - isReadOnly: Whether the context refuses to save.
    public func makeBackgroundContext(
        name: String = "context", lane: String? = nil, isReadOnly: Bool = false
    ) -> ContextActor {
        ContextActor(pipeline, name: name, lane: lane, isReadOnly: isReadOnly)
    }

    /// The context of the main actor, for user interfaces.
    ///
    /// It is created on first use, and cached. Its fetches and saves block the main thread. Its objects are observable: use
    /// `withObservationTracking` to track them.
    ///
    /// It merges saves of other contexts and processes automatically (``ObjectContext/automaticallyMergesChanges``): each fetch first
    /// merges the commits since the last one, and a store shared with other processes polls for their commits
    /// (``StoreOptions/watchInterval``). Set that property to false if objects must keep their values until they are refreshed.
    @MainActor public var viewContext: ObjectContext {
        if let made = cachedViewContext { return made.context }
        let context = makeThreadContext(name: "view")
        context.isObserved = true
        context.automaticallyMergesChanges = true
        cachedViewContext = ViewContext(context)
        return context
    }

    /// Makes a context that belongs to the calling thread or isolation.
    func makeThreadContext(name: String) -> ObjectContext {
        let context = ObjectContext(model: model, parent: StoreParent(pipeline, name: name))
        context.name = name
        return context
    }
}

/// A strong reference to the context of the main actor, which is released on the main actor.
///
/// The last reference to a store may be released on any thread, while objects of the context are in use on the main thread.
@MainActor final class ViewContext {
    let context: ObjectContext

    init(_ context: ObjectContext) {
        self.context = context
        MainActorNotifier.start(in: context)
    }

    isolated deinit {}
}

extension Store {
    /// Makes a context that lives as long as it is held.
    ///
    /// - Parameters:
    ///   - name: What it is called, in the history and in errors.
    ///   - lane: The lane that its saves keep their order in, with those of other contexts and with blocks: see
    ///     ``StoreOptions/WriteOrder/concurrent(limit:)``.
    ///   - isReadOnly: Whether it refuses to save, for code that is to show things and nothing else.
    public func makeContext(
        name: String = "context", lane: String? = nil, isReadOnly: Bool = false
    ) -> ContextActor {
        ContextActor(pipeline, name: name, lane: lane, isReadOnly: isReadOnly)
    }

    /// The context of the main actor: what a user interface works with.
    ///
    /// It is made when it is asked for first, and is the same ever after. What it fetches and saves, the main thread waits for. Its
    /// objects are observed: `withObservationTracking` hears of them.
    ///
    /// It merges what others save, as ``ObjectContext/automaticallyMergesChanges`` says. That costs each of its fetches the merge of what was
    /// committed since the last one, and lets a store that other processes share look for their commits
    /// (``StoreOptions/watchInterval``). Set the property to false where objects must stay as they are until they are refreshed.
    @MainActor public var viewContext: ObjectContext {
        if let made = madeViewContext { return made.context }
        let context = makeThreadContext(name: "view")
        context.isObserved = true
        context.automaticallyMergesChanges = true
        madeViewContext = ViewContext(context)
        return context
    }

    /// Makes a context over the store that belongs to the calling thread or isolation.
    func makeThreadContext(name: String) -> ObjectContext {
        let context = ObjectContext(model: model, parent: StoreParent(pipeline, name: name))
        context.name = name
        return context
    }
}

/// Holds the main actor's context, and lets go of it there.
///
/// A store may lose its last reference on any thread, while objects of the context are in use on the main one.
@MainActor final class ViewContext {
    let context: ObjectContext

    init(_ context: ObjectContext) {
        self.context = context
        MainActorFollowing.begin(in: context)
    }

    isolated deinit {}
}

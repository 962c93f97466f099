extension Store {
    /// Makes a context that lives as long as it is held.
    ///
    /// - Parameters:
    ///   - name: What it is called, in the history and in errors.
    ///   - isReadOnly: Whether it refuses to save, for code that is to show things and nothing else.
    public func makeContext(name: String = "context", isReadOnly: Bool = false) -> ContextActor {
        ContextActor(pipeline, name: name, isReadOnly: isReadOnly)
    }

    /// The context of the main actor: what a user interface works with.
    ///
    /// It is made when it is asked for first, and is the same ever after. What it fetches and saves, the main thread waits for. Its
    /// objects are observed: `withObservationTracking` hears of them.
    @MainActor public var viewContext: ObjectContext {
        if let made = madeViewContext { return made.context }
        let context = ObjectContext(model: model, parent: StoreParent(pipeline, name: "view"))
        context.name = "view"
        context.isObserved = true
        madeViewContext = ViewContext(context)
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

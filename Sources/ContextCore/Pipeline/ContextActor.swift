/// A context that lives long and belongs to nobody's thread: programs work with it in `perform`.
///
/// ```swift
/// let editor = store.makeContext(name: "editor")
/// try await editor.perform { context in
///     try context.fetch(Game.self).first?.title = "Chess"
///     try context.save()
/// }
/// ```
///
/// What is performed runs one after the other, in the order in which it was submitted, on a thread of the context's own: never on
/// Swift's cooperative pool, so it may block. The context holds no session in between: each fetch sees the store as it is then, and
/// each save is a write of its own, in the order of the writes. It goes away with its actor, together with its objects and what was
/// not saved.
public actor ContextActor {
    /// What the context is called, in the history and in errors.
    public nonisolated let name: String
    private nonisolated let pipeline: Pipeline
    private nonisolated let executor: ContextExecutor
    private let context: ObjectContext
    /// What tells proxies of the context's changes, in a context that has proxies.
    private let feed: GraphFeed?

    /// - Parameters:
    ///   - isReadOnly: Whether the context refuses to save.
    ///   - proxies: Those who follow the context, which then follows the store by itself; nil for a context without them.
    init(_ pipeline: Pipeline, name: String, isReadOnly: Bool = false, proxies: ChangeBroadcaster? = nil) {
        self.name = name
        self.pipeline = pipeline
        executor = ContextExecutor(name: name, threads: pipeline.contextThreads)
        context = ObjectContext(
            model: pipeline.coordinator.model, parent: StoreParent(pipeline, name: name),
            isReadOnly: isReadOnly)
        context.name = name
        context.automaticallyMergesChanges = proxies != nil
        feed = proxies.map { [graph = context.graph] in GraphFeed(graph, $0) }
    }

    /// Where the context's work runs: its own serial executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs a block with the context, after all that was submitted earlier.
    ///
    /// The place in the order is taken when it is called. The block runs whether or not its task is cancelled in the meantime, and
    /// nothing is saved unless it saves. What it returns may cross: values, identifiers, snapshots.
    @discardableResult
    public func perform<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        context.graph.faulting.block = CallSite(fileID: fileID, line: line)
        wakeForFollowers()
        // What could not be merged waits, and is thrown by what the block fetches first.
        try? ChangeMerging(graph: context.graph).pull()
        defer { context.processPendingChanges() }
        let value = try body(context)
        try context.graph.throwDeferredError()
        return value
    }

    /// The identifiers' spaces of the store.
    nonisolated var identifiers: IdentifierSpaces { pipeline.identifiers }

    /// Answers a request of a proxy.
    func answer<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> FetchAnswer {
        // What others have saved, and what blocks have left, is told before.
        try perform { try $0.graph.begin() }
        let told = feed?.moment
        return try perform { try $0.answer(request, told: told) }
    }

    /// Answers a request of a proxy, on whose thread it waits for its turn.
    nonisolated func answerAndWait<Object: ManagedObject>(_ request: FetchRequest<Object>) throws
        -> FetchAnswer
    {
        try whenFree { try $0.answer(request) }
    }

    /// Answers a question of a proxy, on whose thread it waits for its turn.
    nonisolated func answer<Value: Sendable>(_ body: @Sendable (ObjectContext) throws -> Value) throws
        -> Value
    {
        try whenFree { actor in
            actor.wakeForFollowers()
            return try body(actor.context)
        }
    }

    /// Runs something of the caller's on its thread, while nobody else has the context: all that it asks is answered in one turn, and
    /// from one moment of the store.
    nonisolated func inOneMoment<Value>(_ body: () throws -> Value) throws -> Value {
        try inOneTurn {
            let parent = assumeIsolated { actor in
                actor.wakeForFollowers()
                return OwnParent(ContextAsParent(actor.context))
            }
            return try parent.parent.inOneMoment(body)
        }
    }

    private nonisolated func inOneTurn<Value>(_ body: () throws -> Value) throws -> Value {
        if !executor.isCurrent, let held = HeldSession.current(of: pipeline) {
            throw held.refusal(of: "context \"\(name)\"")
        }
        return try executor.runAndWait(body)
    }

    private nonisolated func whenFree<Value: Sendable>(
        _ body: @Sendable (isolated ContextActor) throws -> Value
    ) throws -> Value {
        try inOneTurn { try assumeIsolated(body) }
    }

    /// Lets those who follow the context's results hear of what others save while nobody performs anything.
    private func wakeForFollowers() {
        if context.graph.followers.wake != nil { return }
        let wake = Wake { [weak self] wake in
            Task {
                wake.begin()
                await self?.followStore()
            }
        }
        context.graph.followers.wake = { wake.call() }
        context.graph.listenForFollowers()
    }

    private func followStore() { context.graph.followStore() }

    /// Runs a block with the context on the calling thread, which waits for its turn.
    ///
    /// It is for code without `async`. Inside another block of the same context it runs at once.
    ///
    /// Called in a task, from code without `async`, it blocks a thread of Swift's cooperative pool, of which there are only as many as
    /// cores; the compiler forbids that only where it sees it.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock``, naming both, inside a block that holds a session of the store, and when the context
    ///   waits for one whose block this is.
    @available(*, noasync, message: "It would block a thread of Swift's cooperative pool; use perform.")
    @discardableResult
    public nonisolated func performAndWait<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        try whenFree { try $0.perform(fileID: fileID, line: line, body) }
    }
}

/// A context, taken out of its actor by whoever has the actor's turn.
// @unchecked: it is made and used within one turn of the context's executor, and goes no further.
private struct OwnParent: @unchecked Sendable {
    let parent: ContextAsParent

    init(_ parent: ContextAsParent) { self.parent = parent }
}

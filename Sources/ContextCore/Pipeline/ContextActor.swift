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
/// What is performed runs one after the other, in the order in which it was submitted, on a thread that is lent to the
/// context: never on Swift's cooperative pool, so it may block. The number of these threads is bounded
/// (``StoreOptions/readLimit``), and a context that waits for one costs none. The context holds no session in between:
/// each fetch sees the store as it is then, and each save is a write of its own, in the order of the writes. It goes
/// away with its actor, together with its objects and what was not saved. ``makeChild(name:isReadOnly:)`` and
/// ``makeViewChild(name:isReadOnly:)`` make contexts over it that live elsewhere.
public actor ContextActor {
    /// What the context is called, in the history and in errors.
    public nonisolated let name: String
    /// The actor whose context this one's is a child of; nil when its parent is the store.
    public nonisolated let parent: ContextActor?
    nonisolated let pipeline: Pipeline
    nonisolated let executor: ContextExecutor
    /// Runs the completions of blocks, and of requests of proxies, in the order of submission.
    nonisolated let completions = Completions()
    private let context: ObjectContext
    /// What tells proxies of the context's changes, in a context that has proxies.
    private let feed: GraphFeed?

    /// - Parameters:
    ///   - lane: The lane of its saves.
    ///   - isReadOnly: Whether the context refuses to save.
    ///   - parent: Whose context it is a child of, and what it takes from that one; nil for a context over the store.
    ///   - proxies: Those who follow the context, which then follows the store by itself; nil for a context without them.
    init(
        _ pipeline: Pipeline, name: String, lane: String? = nil, isReadOnly: Bool = false,
        under parent: (actor: ContextActor, inheritance: Inheritance)? = nil,
        proxies: ChangeBroadcaster? = nil
    ) {
        self.name = name
        self.parent = parent?.actor
        self.pipeline = pipeline
        executor = ContextExecutor(name: name, threads: pipeline.contextThreads)
        context = ObjectContext(
            model: pipeline.coordinator.model,
            parent: Self.above(parent?.actor, pipeline, name, lane),
            isReadOnly: isReadOnly || parent?.inheritance.isReadOnly == true)
        if let parent { context.inherit(parent.inheritance) }
        context.name = name
        context.graph.isolation = .executor(executor)
        context.automaticallyMergesChanges = proxies != nil
        feed = proxies.map { [graph = context.graph] in GraphFeed(graph, $0) }
    }

    private static func above(
        _ actor: ContextActor?, _ pipeline: Pipeline, _ name: String, _ lane: String?
    ) -> any ContextParent {
        if let actor { return ActorParent(actor) }
        return StoreParent(pipeline, name: name, lane: lane)
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
        let site = CallSite(fileID: fileID, line: line)
        let outer = executor.setBlock(site)
        defer { _ = executor.setBlock(outer) }
        context.graph.faulting.block = site
        wakeForFollowers()
        // What could not be merged waits, and is thrown by what the block fetches first.
        try? ChangeMerging(graph: context.graph).pull()
        defer { context.processPendingChanges() }
        let value = try body(context)
        try context.graph.throwDeferredError()
        return value
    }

    /// What children of the context take from it.
    var inheritance: Inheritance { context.inheritance }

    /// The identifiers' spaces of the store.
    nonisolated var identifiers: IdentifierSpaces { pipeline.identifiers }

    /// Answers a request of a proxy.
    func answer<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> FetchAnswer {
        // What others have saved, and what blocks have left, is told before.
        try perform { try $0.graph.begin() }
        let told = feed?.moment
        return try perform { try $0.answer(request, told: told) }
    }

    /// Answers what the rows with some keys are now, by the root's position in the model.
    func answer(_ keys: [Int: [Int64]]) throws -> [RowBatch] {
        try perform { context in
            try context.graph.begin()
            let parent = ContextAsParent(context)
            return try parent.inOneMoment {
                try keys.sorted { $0.key < $1.key }.map { try parent.rows($0.value, entityIndex: $0.key) }
            }
        }
    }

    /// Answers a request of a proxy, on whose thread it waits for its turn.
    nonisolated func answerAndWait<Object: ManagedObject>(_ request: FetchRequest<Object>) throws
        -> FetchAnswer
    {
        try inTurn(limit: pipeline.deadlockTimeout) { try assumeIsolated { try $0.answer(request) } }
    }

    /// Runs something of the caller's on its thread, with the context, while nobody else has that.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock`` when the context makes no progress for ``StoreOptions/deadlockTimeout``.
    nonisolated func inOneTurn<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        try inTurn(limit: pipeline.deadlockTimeout) {
            let own = assumeIsolated { actor in
                actor.wakeForFollowers()
                return OwnContext(actor.context)
            }
            return try body(own.context)
        }
    }

    private nonisolated func inTurn<Value>(limit: Duration? = nil, _ body: () throws -> Value) throws -> Value
    {
        if !executor.isCurrent, let held = HeldSession.current(of: pipeline) {
            throw held.refusal(of: "context \"\(name)\"")
        }
        return try executor.runAndWait(limit: limit, body)
    }

    /// Does something when its turn comes, for which nobody waits, and tells what came of it; it takes its place in the order at once.
    nonisolated func submit<Value: Sendable>(
        _ body: @escaping @Sendable (isolated ContextActor) throws -> Value,
        tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        executor.enqueue { [self] in tell(Result { try assumeIsolated(body) }) }
    }

    private nonisolated func whenFree<Value: Sendable>(
        _ body: @Sendable (isolated ContextActor) throws -> Value
    ) throws -> Value {
        try inTurn { try assumeIsolated(body) }
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
private struct OwnContext: @unchecked Sendable {
    let context: ObjectContext

    init(_ context: ObjectContext) { self.context = context }
}

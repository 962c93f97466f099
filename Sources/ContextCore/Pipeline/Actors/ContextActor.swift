/// A long-lived context on its own serial executor; programs use it in blocks of `perform`.
///
/// ```swift
/// let editor = store.makeBackgroundContext(name: "editor")
/// try await editor.perform { context in
///     try context.fetch(Game.self).first?.title = "Chess"
///     try context.save()
/// }
/// ```
///
/// Blocks run one at a time, in the order of submission, on a borrowed thread that is never one of Swift's cooperative pool, so they may
/// block. The number of these threads is bounded (``StoreOptions/readLimit``), and a context that waits for one uses none. The context
/// holds no session between requests: each fetch sees the store's current state, and each save is a separate write, ordered with
/// all other writes. The context and its unsaved changes are released with the actor. ``makeChild(name:isReadOnly:)`` and
/// ``makeViewChild(name:isReadOnly:)`` make child contexts in other isolations.
public actor ContextActor {
    /// The context's name, in the history and in errors.
    public nonisolated let name: String
    /// The actor of the parent context; nil if the parent is the store.
    public nonisolated let parent: ContextActor?
    nonisolated let pipeline: Pipeline
    nonisolated let executor: ContextExecutor
    /// Runs the completions of blocks, and of requests of proxies, in the order of submission.
    nonisolated let completions = Completions()
    private let context: ObjectContext
    /// Publishes the context's changes to its proxies; nil if the context has no proxies.
    private let feed: GraphFeed?

    /// - Parameters:
    ///   - lane: The lane of its saves.
    ///   - isReadOnly: Whether the context refuses to save.
    ///   - parent: The actor of the parent context, and the settings inherited from it; nil for a context over the store.
    ///   - proxies: Distributes the context's changes to its proxies; such a context merges changes of the store automatically. Nil for a
    ///     context without proxies.
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
            parent: Self.makeParent(parent?.actor, pipeline, name, lane),
            isReadOnly: isReadOnly || parent?.inheritance.isReadOnly == true)
        if let parent { context.inherit(parent.inheritance) }
        context.name = name
        context.graph.isolation = .executor(executor)
        context.automaticallyMergesChanges = proxies != nil
        feed = proxies.map { [graph = context.graph] in GraphFeed(graph, $0) }
    }

    private static func makeParent(
        _ actor: ContextActor?, _ pipeline: Pipeline, _ name: String, _ lane: String?
    ) -> any ContextParent {
        if let actor { return ActorParent(actor) }
        return StoreParent(pipeline, name: name, lane: lane)
    }

    /// The serial executor that the context's blocks run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs a block with the context, after all blocks submitted earlier.
    ///
    /// The block is queued at the call. It runs even if its task is cancelled in the meantime, and saves only if it calls `save`. It may
    /// return any `Sendable` value: values, identifiers, snapshots.
    @discardableResult
    public func perform<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        let site = CallSite(fileID: fileID, line: line)
        let outer = executor.setBlock(site)
        defer { _ = executor.setBlock(outer) }
        context.graph.faulting.block = site
        followStoreWhileIdle()
        // A failed merge stays pending; the first fetch in the block throws its error.
        try? ChangeMerging(graph: context.graph).mergeInbox()
        defer { context.processPendingChanges() }
        let value = try body(context)
        try context.graph.throwDeferredError()
        return value
    }

    /// The settings that children of the context inherit.
    var inheritance: Inheritance { context.inheritance }

    /// The identifier spaces of the store.
    nonisolated var identifiers: IdentifierSpaces { pipeline.identifiers }

    /// Runs a fetch request of a proxy.
    func fetchRows<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> FetchResponse {
        // First merges changes of the store and publishes pending changes of earlier blocks.
        try perform { try $0.graph.prepareToRead() }
        let token = feed?.token
        return try perform { try $0.fetchRows(request, publishedToken: token) }
    }

    /// Fetches the current rows with the given keys, which are grouped by the index of their root entity.
    func fetchRows(_ keys: [Int: [Int64]]) throws -> [RowBatch] {
        try perform { context in
            try context.graph.prepareToRead()
            let parent = ParentContextAdapter(context)
            return try parent.withSnapshot {
                try keys.sorted { $0.key < $1.key }.map { try parent.rows($0.value, entityIndex: $0.key) }
            }
        }
    }

    /// Runs a fetch request of a proxy; blocks the calling thread until its turn has come.
    nonisolated func fetchRowsAndWait<Object: ManagedObject>(_ request: FetchRequest<Object>) throws
        -> FetchResponse
    {
        try runInTurn(limit: pipeline.deadlockTimeout) { try assumeIsolated { try $0.fetchRows(request) } }
    }

    /// Runs a closure with exclusive access to the context, on the calling thread.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock`` if the context makes no progress for ``StoreOptions/deadlockTimeout``.
    nonisolated func withExclusiveAccess<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        try runInTurn(limit: pipeline.deadlockTimeout) {
            let own = assumeIsolated { actor in
                actor.followStoreWhileIdle()
                return TransferredContext(actor.context)
            }
            return try body(own.context)
        }
    }

    private nonisolated func runInTurn<Value>(limit: Duration? = nil, _ body: () throws -> Value) throws
        -> Value
    {
        if !executor.isCurrent, let running = RunningOperation.current(of: pipeline) {
            throw running.deadlockError(of: "context \"\(name)\"")
        }
        return try executor.runAndWait(limit: limit, body)
    }

    /// Queues a closure, and passes its result to a callback once it has run.
    nonisolated func submit<Value: Sendable>(
        _ body: @escaping @Sendable (isolated ContextActor) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        executor.enqueue { [self] in completion(Result { try assumeIsolated(body) }) }
    }

    private nonisolated func performWhenFree<Value: Sendable>(
        _ body: @Sendable (isolated ContextActor) throws -> Value
    ) throws -> Value {
        try runInTurn { try assumeIsolated(body) }
    }

    /// Makes commits of other writers update the context's results controllers and live values while no block runs.
    private func followStoreWhileIdle() {
        if context.graph.followers.wake != nil { return }
        let wake = CoalescedWakeup { [weak self] wake in
            Task {
                wake.markBegun()
                await self?.mergeStoreChanges()
            }
        }
        context.graph.followers.wake = { wake.scheduleIfNeeded() }
        context.graph.updateWakeOnCommit()
    }

    private func mergeStoreChanges() { context.graph.mergeStoreChanges() }

    /// Runs a block with the context on the calling thread, which blocks until its turn has come.
    ///
    /// Use it in code without `async`. Inside another block of the same context it runs immediately.
    ///
    /// In a synchronous function that a task calls, it blocks a thread of Swift's cooperative pool, which has only as many threads as the
    /// machine has cores; the compiler rejects the call only in `async` functions.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock``, naming both operations, inside a block that holds a session of the store, and if the
    ///   context waits for the context whose block makes the call.
    @available(*, noasync, message: "This blocks a thread of Swift's cooperative pool; use perform.")
    @discardableResult
    public nonisolated func performAndWait<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        try performWhenFree { try $0.perform(fileID: fileID, line: line, body) }
    }
}

/// A context passed out of its actor for the duration of one turn.
// @unchecked: created and used within one turn of the context's executor.
private struct TransferredContext: @unchecked Sendable {
    let context: ObjectContext

    init(_ context: ObjectContext) { self.context = context }
}

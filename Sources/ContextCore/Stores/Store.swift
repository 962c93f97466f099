/// A store of managed objects, which runs reads and writes in order.
///
/// ```swift
/// let store = try await Store.open("sqlite:games.sqlite", backends: [.sqlite], model: [Game.self, Player.self])
///
/// try await store.write { context in
///     _ = Game(in: context, title: "Go")
/// }
/// ```
///
/// It may be used from any thread and task. By default writes run one at a time, in the order of submission, and reads run concurrently
/// with them. The store closes itself when it and all of its contexts are released.
public final class Store: Sendable {
    let pipeline: Pipeline
    /// The model of the stored objects.
    public let model: ObjectModel
    /// The cached ``viewContext``.
    @MainActor var cachedViewContext: ViewContext?
    /// The cached ``sharedContext``.
    let sharing = LazySharedContext()

    /// Creates a store over a coordinator, for programs that create coordinators themselves.
    ///
    /// The store owns the coordinator, so use it for nothing else. The initializer may block its thread.
    public convenience init(coordinator: any StoreCoordinator, options: StoreOptions = StoreOptions()) throws
    {
        try self.init(coordinator: coordinator, options: options, environment: .system)
    }

    /// Creates a store with an injected environment: threads, clock, timers and randomness.
    package init(
        coordinator: any StoreCoordinator, options: StoreOptions, environment: PipelineEnvironment
    ) throws {
        try options.check()
        model = coordinator.model
        pipeline = try Pipeline(coordinator, options, environment)
    }

    /// Creates a store with the pipeline of an earlier store, which contexts have retained.
    init(around pipeline: Pipeline) {
        self.pipeline = pipeline
        model = pipeline.coordinator.model
    }

    /// The optional features that the store supports.
    public var capabilities: StoreCapabilities { pipeline.coordinator.capabilities }

    /// The changes that this process and others commit from now on, as an asynchronous sequence.
    ///
    /// Commits of other processes are detected at the next save of this process, within ``StoreOptions/watchInterval``, and immediately if
    /// the backend is notified of commits.
    public var changes: StoreChanges { StoreChanges(mailbox: pipeline.changes.listen()) }

    /// Returns the store's identifier, the fingerprint of its model, and the program's metadata.
    public func metadata() async throws -> StoreMetadata {
        let coordinator = pipeline.coordinator
        return try await pipeline.read(OperationLabel(kind: .read, identifier: "metadata")) {
            var metadata = try coordinator.metadata()
            metadata.userInfo = HistoryConsumers.programMetadata(metadata.userInfo)
            return metadata
        }
    }

    /// Closes the store.
    ///
    /// Running operations end normally; waiting and later ones throw ``StoreError/Code/closed``. The method returns when all resources of
    /// the store are released. A second call returns at the same time.
    public func close() async {
        await withCheckedContinuation { continuation in
            pipeline.close { continuation.resume() }
        }
    }

    /// Closes the store after all submitted operations have ended.
    ///
    /// Waiting operations run, and conflicting writes are retried, as usual; operations submitted later throw ``StoreError/Code/closed``.
    /// These include the fetches and saves of long-lived contexts: end the work on such contexts first. If the task is cancelled, waiting
    /// operations throw too, and only running ones end, as with ``close()``. The method returns when the store's log has received the reports
    /// of the operations, unless the task is cancelled, and all resources of the store are released. The log must not wait for it.
    public func drain() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pipeline.drain { continuation.resume() }
            }
        } onCancel: {
            pipeline.close {}
        }
    }
}

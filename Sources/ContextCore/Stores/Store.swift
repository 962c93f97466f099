/// A store of objects: the rows behind a model, and the one way into them.
///
/// ```swift
/// let store = try await Store.open("sqlite:games.sqlite", backends: [.sqlite], model: [Game.self, Player.self])
///
/// try await store.write { context in
///     _ = Game(in: context, title: "Go")
/// }
/// ```
///
/// It may be used from every thread and task. Writes land one after the other, in the order in which they were submitted; reads run
/// beside them. It closes itself when neither it nor a context of it is held any more.
public final class Store: Sendable {
    let pipeline: Pipeline
    /// The model of what the store keeps.
    public let model: ObjectModel
    /// What ``viewContext`` has made.
    @MainActor var madeViewContext: ViewContext?
    /// What ``shared`` has made.
    let sharing = Sharing()

    /// Makes a store of a coordinator, for those that have made one themselves.
    ///
    /// From here on nobody else may use the coordinator. It may block the thread.
    public convenience init(coordinator: any StoreCoordinator, options: StoreOptions = StoreOptions()) throws
    {
        try self.init(coordinator: coordinator, options: options, surroundings: .system)
    }

    /// Makes a store that takes its threads and the time from somewhere else.
    package init(
        coordinator: any StoreCoordinator, options: StoreOptions, surroundings: PipelineSurroundings
    ) throws {
        try options.check()
        model = coordinator.model
        pipeline = try Pipeline(coordinator, options, surroundings)
    }

    /// Makes a store around a pipeline that has outlived an earlier one, as contexts keep it.
    init(around pipeline: Pipeline) {
        self.pipeline = pipeline
        model = pipeline.coordinator.model
    }

    /// What the store can do beyond what every store can.
    public var capabilities: StoreCapabilities { pipeline.coordinator.capabilities }

    /// What is committed from now on, whoever saves it.
    ///
    /// Saves of other processes are noticed with the next save of this one, and within ``StoreOptions/watchInterval``; at once where
    /// the store says when somebody saves.
    public var changes: StoreChanges { StoreChanges(mailbox: pipeline.changes.listen()) }

    /// Says who the store is, what model it was made with, and what was noted about it.
    public func metadata() async throws -> StoreMetadata {
        let coordinator = pipeline.coordinator
        return try await pipeline.read(OperationLabel(kind: .read, identifier: "metadata")) {
            var metadata = try coordinator.metadata()
            metadata.userInfo = HistoryConsumers.without(metadata.userInfo)
            return metadata
        }
    }

    /// Closes the store.
    ///
    /// Operations that run come to their end; those that wait, and later ones, throw ``StoreError/Code/closed``. On return nothing
    /// of the store is in use any more. A second call waits for the same end.
    public func close() async {
        await withCheckedContinuation { continuation in
            pipeline.close { continuation.resume() }
        }
    }
}

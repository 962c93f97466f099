/// Polls the store for commits of other processes when the backend reports a commit, and at a fixed interval.
///
/// It references the pipeline weakly, and ends when the pipeline is released.
struct ChangeWatch {
    /// How long to wait for more notifications before polling, so that a burst of commits costs one poll.
    private static let debounceDelay = Duration.milliseconds(10)

    /// The first and the maximum delay before a failed poll is retried; the delay doubles each time.
    private static let (firstDelay, maximumDelay) = (Duration.milliseconds(100), Duration.seconds(5))

    /// Starts a task that polls while the store has listeners.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the store.
    ///   - interval: The polling interval; nil to poll only when the backend reports a commit.
    /// - Returns: The task; nil if there is no interval and the backend doesn't report commits.
    static func start(_ pipeline: Pipeline, every interval: Duration?) -> Task<Void, Never>? {
        let notifyingCoordinator = pipeline.coordinator as? any CommitNotifyingCoordinator
        if interval == nil && notifyingCoordinator == nil { return nil }
        // All notifications that arrive before the next poll are served by that poll.
        let (notifications, notifier) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if let notifyingCoordinator {
            pipeline.changes.onFirstSubscriber { notifyingCoordinator.notifyCommits { notifier.yield() } }
        }
        return Task.detached { [weak pipeline] in
            await withTaskGroup(of: Void.self) { group in
                if let interval { group.addTask { await notify(notifier, every: interval) } }
                var (delay, retry) = (firstDelay, Task<Void, Never>?.none)
                for await _ in notifications {
                    try? await Task.sleep(for: debounceDelay)
                    guard let pipeline, !Task.isCancelled else { break }
                    let result = await poll(pipeline)
                    retry?.cancel()
                    if result != .blocked { delay = firstDelay }
                    // The backend notifies only once, so a poll that could not publish every commit is retried.
                    retry = result == .complete ? nil : notify(notifier, after: delay)
                    if result == .blocked { delay = min(delay * 2, maximumDelay) }
                }
                retry?.cancel()
                group.cancelAll()
            }
        }
    }

    private static func notify(
        _ notifier: AsyncStream<Void>.Continuation, after delay: Duration
    ) -> Task<Void, Never> {
        Task { if (try? await Task.sleep(for: delay)) != nil { notifier.yield() } }
    }

    private static func notify(_ notifier: AsyncStream<Void>.Continuation, every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { notifier.yield() }
    }

    /// Polls once, if the store has listeners.
    private static func poll(_ pipeline: Pipeline) async -> ChangeFeed.PollResult {
        guard pipeline.changes.hasListeners else { return .complete }
        let label = OperationLabel(kind: .read, identifier: "changes of others")
        // The error is ignored: the program's own reads fail with the same error.
        return (try? await pipeline.read(label) { try pipeline.feed.poll() }) ?? .blocked
    }
}

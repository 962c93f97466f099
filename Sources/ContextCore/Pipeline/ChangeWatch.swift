/// Looks whether another process has committed something: when the store says so, and now and then in any case.
///
/// It keeps nothing alive: it ends when the store does.
struct ChangeWatch {
    /// How long more rings are waited for before the store is looked at, so that a burst of commits is one look.
    private static let gathering = Duration.milliseconds(10)

    /// How long a look that has failed waits for another, the first time and at the most.
    private static let (firstPause, longestPause) = (Duration.milliseconds(100), Duration.seconds(5))

    /// Begins to look, as long as somebody listens; nil where nothing would ever make it look.
    static func start(_ pipeline: Pipeline, every interval: Duration?) -> Task<Void, Never>? {
        let announcer = pipeline.coordinator as? any AnnouncingCoordinator
        if interval == nil && announcer == nil { return nil }
        // One ring that nobody has come to yet is as good as many.
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if let announcer {
            pipeline.changes.atFirstListener { announcer.announce { bell.yield() } }
        }
        return Task.detached { [weak pipeline] in
            await withTaskGroup(of: Void.self) { group in
                if let interval { group.addTask { await ring(bell, every: interval) } }
                var (pause, retry) = (firstPause, Task<Void, Never>?.none)
                for await _ in rings {
                    try? await Task.sleep(for: gathering)
                    guard let pipeline, !Task.isCancelled else { break }
                    let look = await look(pipeline)
                    retry?.cancel()
                    if look != .held { pause = firstPause }
                    // Nobody rings again for what could not be looked at, or told.
                    retry = look == .whole ? nil : ring(bell, after: pause)
                    if look == .held { pause = min(pause * 2, longestPause) }
                }
                retry?.cancel()
                group.cancelAll()
            }
        }
    }

    private static func ring(
        _ bell: AsyncStream<Void>.Continuation, after pause: Duration
    ) -> Task<Void, Never> {
        Task { if (try? await Task.sleep(for: pause)) != nil { bell.yield() } }
    }

    private static func ring(_ bell: AsyncStream<Void>.Continuation, every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { bell.yield() }
    }

    /// Looks, as long as somebody wants to know.
    private static func look(_ pipeline: Pipeline) async -> ChangeFeed.Look {
        guard pipeline.changes.hasListeners else { return .whole }
        let label = OperationLabel(kind: .read, identifier: "changes of others")
        // What keeps it from looking now keeps reads from reading, and they say so.
        return (try? await pipeline.read(label) { try pipeline.feed.poll() }) ?? .held
    }
}

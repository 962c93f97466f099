/// Looks now and then whether another process has committed something.
///
/// It keeps nothing alive: it ends when the store does.
struct ChangeWatch {
    /// Begins to look, every so often, as long as somebody listens.
    static func start(_ pipeline: Pipeline, every interval: Duration) -> Task<Void, Never> {
        Task.detached { [weak pipeline] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                guard let pipeline, !Task.isCancelled else { return }
                guard pipeline.changes.hasListeners else { continue }
                let label = OperationLabel(kind: .read, identifier: "changes of others")
                // What keeps it from looking now keeps reads from reading, and they say so.
                try? await pipeline.read(label) { try pipeline.feed.poll() }
            }
        }
    }
}

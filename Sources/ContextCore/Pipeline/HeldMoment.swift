/// A session that a pinned context keeps open, so that it sees one moment of the store.
///
/// It is used, and ended, within turns of the pipeline only: so never while the store is being closed.
final class HeldMoment {
    let session: any ReadSession
    private let pipeline: Pipeline
    private let name: String

    init(_ pipeline: Pipeline, name: String) throws {
        // A context's block runs whether or not its task is cancelled, and the session outlives the task.
        session = try pipeline.coordinator.openReadSession(
            SessionOptions(identifier: name, heedsCancellation: false))
        self.pipeline = pipeline
        self.name = name
    }

    deinit {
        // The last reference may go on any thread, which has no turn and can't wait for one; and nobody else has the session.
        nonisolated(unsafe) let session = session
        pipeline.runLater(OperationLabel(kind: .read, identifier: name)) { session.end() }
    }
}

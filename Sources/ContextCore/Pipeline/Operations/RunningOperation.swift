/// The store operation whose block the current thread runs, to detect calls in the block that would deadlock.
///
/// It is thread-local, not task-local, because a task that the block starts may safely wait for other operations.
final class RunningOperation {
    let label: OperationLabel
    /// The block's context; nil for a fetch or save of a long-lived context.
    let context: ObjectContext?
    private let pipeline: Pipeline
    private let outer: RunningOperation?
    private static let thread = ThreadLocal<RunningOperation>()

    private init(_ label: OperationLabel, _ context: ObjectContext?, _ pipeline: Pipeline) {
        self.label = label
        self.context = context
        self.pipeline = pipeline
        outer = Self.thread.current
    }

    /// Runs a closure as the block of an operation, which has a session of the store.
    static func run<Value>(
        _ label: OperationLabel, context: ObjectContext?, of pipeline: Pipeline, _ body: () throws -> Value
    ) rethrows -> Value {
        let running = RunningOperation(label, context, pipeline)
        thread.current = running
        defer { thread.current = running.outer }
        return try withExtendedLifetime(running, body)
    }

    /// Returns the operation of a pipeline whose block the current thread runs; nil if it runs none.
    static func current(of pipeline: Pipeline) -> RunningOperation? {
        var running = thread.current
        while let candidate = running {
            if candidate.pipeline === pipeline { return candidate }
            running = candidate.outer
        }
        return nil
    }

    /// Returns the error for an operation that the block can't wait for.
    func deadlockError(of waiting: String) -> StoreError {
        StoreError(
            .wouldDeadlock,
            "\(waiting) was called inside \(label). That block holds a session of the store, so waiting there could deadlock.",
            remedy: "Use the context that the block received, or make the call after the block has returned.")
    }
}

/// The store operation whose block the current thread runs, to detect calls in the block that would deadlock.
///
/// It is thread-local, not task-local, because a task that the block starts may safely wait for other operations.
final class HeldSession {
    let label: OperationLabel
    /// The block's context; nil for a fetch or save of a long-lived context.
    let context: ObjectContext?
    private let pipeline: Pipeline
    private let outer: HeldSession?
    private static let thread = ThreadLocal<HeldSession>()

    private init(_ label: OperationLabel, _ context: ObjectContext?, _ pipeline: Pipeline) {
        self.label = label
        self.context = context
        self.pipeline = pipeline
        outer = Self.thread.current
    }

    /// Runs a closure as the block of an operation, which has a session of the store.
    static func hold<Value>(
        _ label: OperationLabel, context: ObjectContext?, of pipeline: Pipeline, _ body: () throws -> Value
    ) rethrows -> Value {
        let held = HeldSession(label, context, pipeline)
        thread.current = held
        defer { thread.current = held.outer }
        return try withExtendedLifetime(held, body)
    }

    /// Returns the operation of a pipeline whose block the current thread runs; nil if it runs none.
    static func current(of pipeline: Pipeline) -> HeldSession? {
        var held = thread.current
        while let candidate = held {
            if candidate.pipeline === pipeline { return candidate }
            held = candidate.outer
        }
        return nil
    }

    /// Returns the error for an operation that the block can't wait for.
    func refusal(of waiting: String) -> StoreError {
        StoreError(
            .wouldDeadlock,
            "\(waiting) was called inside \(label). That block holds a session of the store, so waiting there could deadlock.",
            remedy: "Use the context that the block received, or make the call after the block has returned.")
    }
}

/// The session that the current thread's block holds; it detects calls in the block that would deadlock.
///
/// It belongs to the thread, not to the task, because a task that the block starts may safely wait for other operations.
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

    /// Runs a closure, during which the thread counts as holding a session.
    static func hold<Value>(
        _ label: OperationLabel, context: ObjectContext?, of pipeline: Pipeline, _ body: () throws -> Value
    ) rethrows -> Value {
        let held = HeldSession(label, context, pipeline)
        thread.current = held
        defer { thread.current = held.outer }
        return try withExtendedLifetime(held, body)
    }

    /// Returns the session of a pipeline that the current thread holds.
    static func current(of pipeline: Pipeline) -> HeldSession? {
        var held = thread.current
        while let candidate = held {
            if candidate.pipeline === pipeline { return candidate }
            held = candidate.outer
        }
        return nil
    }

    /// Returns the error for an operation that would wait while the session is held.
    func refusal(of waiting: String) -> StoreError {
        StoreError(
            .wouldDeadlock,
            "\(waiting) was called inside \(label). That block holds a session of the store, so waiting there could deadlock.",
            remedy: "Use the context that the block received, or make the call after the block has returned.")
    }
}

/// The session that the current thread's block holds: what keeps one block from waiting for another that waits for it.
///
/// It belongs to the thread, and not to the task: a task that a block starts may wait for whatever it likes.
final class HeldSession {
    let label: OperationLabel
    /// The block's context; nil for the one operation of a long-lived context.
    let context: ObjectContext?
    private let pipeline: Pipeline
    private let outer: HeldSession?
    private static let thread = ThreadSpecific<HeldSession>()

    private init(_ label: OperationLabel, _ context: ObjectContext?, _ pipeline: Pipeline) {
        self.label = label
        self.context = context
        self.pipeline = pipeline
        outer = Self.thread.current
    }

    /// Runs something with a session held.
    static func hold<Value>(
        _ label: OperationLabel, context: ObjectContext?, of pipeline: Pipeline, _ body: () throws -> Value
    ) rethrows -> Value {
        let held = HeldSession(label, context, pipeline)
        thread.current = held
        defer { thread.current = held.outer }
        return try withExtendedLifetime(held, body)
    }

    /// The session of a pipeline that the current thread holds.
    static func current(of pipeline: Pipeline) -> HeldSession? {
        var held = thread.current
        while let candidate = held {
            if candidate.pipeline === pipeline { return candidate }
            held = candidate.outer
        }
        return nil
    }

    /// What to say to somebody who would wait while the session is held.
    func refusal(of waiting: String) -> StoreError {
        StoreError(
            .wouldDeadlock,
            "\(waiting) was asked for inside \(label), which holds a session and would wait for it for ever.",
            remedy: "Use the context that the block was given, or ask after the block has returned.")
    }
}

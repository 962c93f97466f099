public import Dispatch

// Blocks with completions, for code without `async`.
extension ContextActor {
    /// Submits a block that works with the context, and calls a completion with what it returned or threw.
    ///
    /// It may be called on any thread, and never blocks it. The block takes its place in the order at the call, behind everything that was
    /// submitted to the context before, by ``perform(fileID:line:_:)`` too. It belongs to no task, and saves nothing unless it calls `save`.
    ///
    /// Completions of one context that run on one actor run in the order of submission. In the shared context they share that order with
    /// the completions of its proxies.
    ///
    /// - Parameters:
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs in the isolation that it was written in: on the main actor for code of the main actor.
    public nonisolated func perform<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        let ordered = completions.ordered(completion)
        submit({ try $0.perform(fileID: fileID, line: line, body) }, tell: ordered)
    }

    /// Submits a block that works with the context, and calls a completion on a queue with what it returned or threw.
    ///
    /// It does what ``perform(fileID:line:_:completion:)`` does. Completions of one context go to one queue in the order of submission.
    ///
    /// - Parameters:
    ///   - queue: Where the completion runs.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs on the queue.
    public nonisolated func perform<Value: Sendable>(
        queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let ordered = completions.ordered(on: queue, completion)
        submit({ try $0.perform(fileID: fileID, line: line, body) }, tell: ordered)
    }
}

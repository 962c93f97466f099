public import Dispatch

// Blocks with completions, for code without `async`.
extension ContextActor {
    /// Submits a block that works with the context, and calls a completion with what it returned or threw.
    ///
    /// It may be called on any thread, and never blocks it. The block is queued at the call, behind all blocks submitted to the context
    /// before, including those of ``perform(fileID:line:_:)``. It runs outside any task, and saves only if it calls `save`.
    ///
    /// Completions of one context that run on one actor run in the order of submission. In the shared context they share that order with
    /// the completions of its proxies.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    ///   - completion: Called in the isolation of the calling code: on the main actor for code of the main actor.
    public nonisolated func perform<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        let ordered = completions.ordered(completion)
        submit({ try $0.perform(fileID: fileID, line: line, body) }, completion: ordered)
    }

    /// Submits a block that works with the context, and calls a completion on a queue with what it returned or threw.
    ///
    /// It behaves like ``perform(fileID:line:_:completion:)``. Completions of one context on one queue run in the order of submission.
    ///
    /// - Parameters:
    ///   - queue: The queue that the completion runs on.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    ///   - completion: Called on the queue.
    public nonisolated func perform<Value: Sendable>(
        queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let ordered = completions.ordered(on: queue, completion)
        submit({ try $0.perform(fileID: fileID, line: line, body) }, completion: ordered)
    }
}

public import Dispatch

extension Store {
    /// The shared context of the store, created on first use.
    ///
    /// Blocks run in the order of submission, and see the changes of earlier blocks, saved or not. The context merges saves of other
    /// contexts and processes automatically.
    public var sharedContext: ContextActor {
        sharing(pipeline).actor
    }

    /// Runs a block with the shared context, after all blocks submitted earlier.
    ///
    /// The block saves only if it calls `save`. It may return any `Sendable` value: values, identifiers, snapshots.
    @discardableResult
    public func performWithSharedContext<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await sharedContext.perform(fileID: fileID, line: line, body)
    }

    /// Submits a block that works with the shared context, and calls a completion with what it returned or threw.
    ///
    /// It may be called on any thread, and never blocks it:
    ///
    /// ```swift
    /// store.performWithSharedContext { try $0.count(Game.self) } completion: { count in print(count) }
    /// ```
    ///
    /// It behaves like ``ContextActor/perform(fileID:line:_:completion:)``: blocks, and their completions on one actor, run in the order of
    /// submission.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    ///   - completion: Called in the isolation of the calling code: on the main actor for code of the main actor.
    public func performWithSharedContext<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        sharedContext.perform(fileID: fileID, line: line, body, completion: completion)
    }

    /// Submits a block that works with the shared context, and calls a completion on a queue with what it returned or threw.
    ///
    /// It behaves like ``ContextActor/perform(queue:fileID:line:_:completion:)``.
    ///
    /// - Parameters:
    ///   - queue: The queue that the completion runs on.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    ///   - completion: Called on the queue.
    public func performWithSharedContext<Value: Sendable>(
        queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        sharedContext.perform(queue: queue, fileID: fileID, line: line, body, completion: completion)
    }

    /// Makes a read-only context over the shared one, in the isolation of the caller.
    public func makeProxy(isolation: isolated (any Actor)? = #isolation) -> ContextProxy {
        ContextProxy(over: sharing(pipeline), model: model, owner: isolation)
    }
}

public import Dispatch

extension Store {
    /// The context that everyone shares, made when it is asked for first.
    ///
    /// Blocks run in the order in which they were submitted, and find what the ones before have left, saved or not. It follows what
    /// others save by itself.
    public var shared: ContextActor {
        sharing(pipeline).actor
    }

    /// Runs a block with the context that everyone shares, after all that was submitted earlier.
    ///
    /// Nothing is saved unless it saves. What it returns may cross: values, identifiers, snapshots.
    @discardableResult
    public func performWithSharedContext<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await shared.perform(fileID: fileID, line: line, body)
    }

    /// Submits a block that works with the shared context, and calls a completion with what it returned or threw.
    ///
    /// It may be called on any thread, and never blocks it:
    ///
    /// ```swift
    /// store.performWithSharedContext { try $0.count(Game.self) } completion: { count in print(count) }
    /// ```
    ///
    /// It does what ``ContextActor/perform(fileID:line:_:completion:)`` does: blocks run, and their completions on one actor too, in the
    /// order of submission.
    ///
    /// - Parameters:
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs in the isolation that it was written in: on the main actor for code of the main actor.
    public func performWithSharedContext<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        shared.perform(fileID: fileID, line: line, body, completion: completion)
    }

    /// Submits a block that works with the shared context, and calls a completion on a queue with what it returned or threw.
    ///
    /// It does what ``ContextActor/perform(queue:fileID:line:_:completion:)`` does.
    ///
    /// - Parameters:
    ///   - queue: Where the completion runs.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs on the queue.
    public func performWithSharedContext<Value: Sendable>(
        queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        shared.perform(queue: queue, fileID: fileID, line: line, body, completion: completion)
    }

    /// Makes a read-only context over the shared one, which stays in the isolation that it is made in.
    public func makeProxy(isolation: isolated (any Actor)? = #isolation) -> ContextProxy {
        ContextProxy(over: sharing(pipeline), model: model, owner: isolation)
    }
}

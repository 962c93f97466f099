extension ContextActor {
    /// When ``ContextActor/perform(schedule:isolation:fileID:line:_:)`` runs a block.
    public enum Schedule: Sendable, Hashable, CaseIterable {
        /// After all blocks submitted earlier.
        case enqueued
        /// Immediately if the caller already runs in the context's isolation, ahead of waiting blocks; otherwise like ``enqueued``.
        case immediate
    }

    /// Runs a block with the context, immediately or after all blocks submitted earlier.
    ///
    /// The schedule matters to code that already runs in the context's isolation: in an extension of the actor, in a function with an
    /// `isolated` parameter, on an actor that shares the context's executor. There `.immediate` runs the block without suspending, as
    /// ``perform(fileID:line:_:)`` does when it is called without `await`, and `.enqueued` lets waiting blocks run first. From any other
    /// isolation both wait for their turn, and the block is queued at the call. Code without `async` can use
    /// ``performAndWait(fileID:line:_:)``, which runs immediately inside a block of the same context.
    ///
    /// - Parameters:
    ///   - schedule: When the block runs.
    ///   - isolation: The isolation of the caller.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    @discardableResult
    public func perform<Value: Sendable>(
        schedule: Schedule, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        guard executor.isCurrent else { return try await perform(fileID: fileID, line: line, body) }
        switch schedule {
        case .immediate: return try performNow(fileID, line, body)
        case .enqueued: return try await performLater(fileID, line, body).value
        }
    }

    private nonisolated func performNow<Value: Sendable>(
        _ fileID: StaticString, _ line: UInt, _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        try assumeIsolated { try $0.perform(fileID: fileID, line: line, body) }
    }

    private nonisolated func performLater<Value: Sendable>(
        _ fileID: StaticString, _ line: UInt, _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) -> Task<Value, any Error> {
        assumeIsolated { $0.enqueue(fileID, line, body) }
    }

    /// Queues a block behind the waiting ones: a task that inherits the actor's isolation is enqueued on its executor at the call.
    private func enqueue<Value: Sendable>(
        _ fileID: StaticString, _ line: UInt, _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) -> Task<Value, any Error> {
        Task { try self.perform(fileID: fileID, line: line, body) }
    }
}

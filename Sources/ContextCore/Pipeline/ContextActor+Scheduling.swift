extension ContextActor {
    /// When a block runs that is given to ``ContextActor/perform(schedule:isolation:fileID:line:_:)``.
    public enum Schedule: Sendable, Hashable, CaseIterable {
        /// After all that was submitted earlier.
        case enqueued
        /// At once where the caller has the context's turn already, before anything else that waits; otherwise as ``enqueued``.
        case immediate
    }

    /// Runs a block with the context, at once or after all that was submitted earlier.
    ///
    /// It makes a difference to code that runs in the context's isolation already: in an extension of the actor, in a function with an
    /// `isolated` parameter, on an actor that shares the context's executor. There `.immediate` runs the block without giving up the turn,
    /// as ``perform(fileID:line:_:)`` does when it is called without `await`; and `.enqueued` lets those who wait go first. From anywhere else
    /// both wait for their turn, and the place in the order is taken when it is called. In code without `async` there is
    /// ``performAndWait(fileID:line:_:)``, which runs at once inside a block of the same context.
    ///
    /// - Parameters:
    ///   - schedule: When the block runs.
    ///   - isolation: Where it is called.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
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

    /// Puts a block behind those that wait: a task of the actor's own is in its queue at once.
    private func enqueue<Value: Sendable>(
        _ fileID: StaticString, _ line: UInt, _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) -> Task<Value, any Error> {
        Task { try self.perform(fileID: fileID, line: line, body) }
    }
}

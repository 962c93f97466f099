extension Store {
    /// Runs a block that changes the store, as one transaction, when all writes that were submitted earlier have come to their end.
    ///
    /// The block works on a fresh context. What it has changed when it returns is saved, and is in the store when `write` returns. If it
    /// throws, nothing of it is: not even what it has saved itself. It runs from beginning to end on one thread, which is none of
    /// Swift's cooperative ones, so it may block.
    ///
    /// Writes run one at a time, in the order in which `write` was called: a call takes its ticket before it suspends. One whose task is
    /// cancelled before its commit begins throws ``StoreError/Code/cancelled`` and leaves nothing.
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors and in the history.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside. What it returns may cross: values, identifiers, snapshots.
    @discardableResult
    public func write<Value: Sendable>(
        _ identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let block = block(.write, identifier, CallSite(fileID: fileID, line: line))
        return try await pipeline.run(block.label) { try block.write(body) }
    }

    /// Runs a block that reads one moment of the store, beside writes and other reads.
    ///
    /// All that it fetches is of that moment, which is no earlier than the end of every write that had returned when `read` was called.
    /// Reads begin in the order in which they were submitted, as many at a time as ``StoreOptions/readLimit`` lets. The block's context
    /// can't save.
    public func read<Value: Sendable>(
        _ identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let block = block(.read, identifier, CallSite(fileID: fileID, line: line))
        return try await pipeline.run(block.label) { try block.read(body) }
    }

    /// Does what ``write(_:fileID:line:_:)`` does, on the calling thread, which waits for its turn.
    ///
    /// It is for code without `async`. Inside a block that holds a session of the store it throws ``StoreError/Code/wouldDeadlock``,
    /// which names both.
    @available(*, noasync, message: "It would block a thread of Swift's cooperative pool; use write.")
    @discardableResult
    public func writeAndWait<Value: Sendable>(
        _ identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        let block = block(.write, identifier, CallSite(fileID: fileID, line: line))
        return try pipeline.runAndWait(block.label) { try block.write(body) }
    }

    /// Does what ``read(_:fileID:line:_:)`` does, on the calling thread, which waits for its turn.
    ///
    /// Inside a write block of the same thread it sees what that has changed so far, saved or not. Inside a read block it throws
    /// ``StoreError/Code/wouldDeadlock``, which names both.
    @available(*, noasync, message: "It would block a thread of Swift's cooperative pool; use read.")
    public func readAndWait<Value: Sendable>(
        _ identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        let block = block(.read, identifier, CallSite(fileID: fileID, line: line))
        if let held = HeldSession.current(of: pipeline), held.label.kind == .write, let writing = held.context
        {
            return try block.read(inside: writing, body)
        }
        return try pipeline.runAndWait(block.label) { try block.read(body) }
    }

    private func block(_ kind: PipelineQueue.Kind, _ identifier: String, _ site: CallSite) -> PipelineBlock {
        PipelineBlock(
            pipeline: pipeline, label: OperationLabel(kind: kind, identifier: identifier), site: site)
    }
}

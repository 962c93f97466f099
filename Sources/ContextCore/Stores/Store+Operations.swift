extension Store {
    /// Runs a block that changes the store, as one transaction, when all writes that were submitted earlier have done their work.
    ///
    /// The block works on a fresh context. What it has changed when it returns is saved, and is in the store when `write` returns. If it
    /// throws, nothing of it is: not even what it has saved itself. It runs from beginning to end on one thread, which is none of
    /// Swift's cooperative ones, so it may block.
    ///
    /// Writes run one at a time, in the order in which `write` was called: a call takes its ticket before it suspends. One whose task is
    /// cancelled before its block has ended throws ``StoreError/Code/cancelled`` and leaves nothing.
    ///
    /// A block must not wait for other tasks: those may wait for a write that shares its commit (``StoreOptions/groupsCommits``).
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors and in the history.
    ///   - lane: Writes of one lane keep their order. Where the store has ``StoreCapabilities/parallelLanes``, several lanes run at once.
    ///   - retries: How often the block may be run again when another transaction got in its way
    ///     (``StoreError/Code/contention``, ``StoreError/Code/conflict``), or when the server was lost before anything was saved
    ///     (``StoreError/Code/connectionLost``). Such a block must do nothing that it can't do twice; each
    ///     time it takes a new place in the order.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside. What it returns may cross: values, identifiers, snapshots.
    @discardableResult
    public func write<Value: Sendable>(
        _ identifier: String, lane: String = SessionOptions.mainLane, retries: Int = 0,
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let block = block(.write, identifier, lane, fileID, line)
        var attempt = 0
        while true {
            do {
                return try await pipeline.write(block.label) { try block.write($0, body) }
            } catch let error as StoreError where attempt < retries && error.isTransient {
                attempt += 1
                do {
                    try await Task.sleep(for: StoreError.pause(before: attempt))
                } catch {
                    throw StoreError.cancelled(block.label)
                }
            }
        }
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
        let block = block(.read, identifier, SessionOptions.mainLane, fileID, line)
        return try await pipeline.read(block.label) { try block.read(body) }
    }

    func block(
        _ kind: PipelineQueue.Kind, _ identifier: String, _ lane: String, _ fileID: StaticString, _ line: UInt
    ) -> PipelineBlock {
        PipelineBlock(
            pipeline: pipeline, label: OperationLabel(kind: kind, identifier: identifier, lane: lane),
            site: CallSite(fileID: fileID, line: line))
    }
}

extension StoreError {
    /// Whether the same work may succeed when it is done again.
    fileprivate var isTransient: Bool { [.contention, .conflict, .connectionLost].contains(code) }

    /// How long to wait before work is done again: longer each time, and not all as long.
    static func pause(before attempt: Int) -> Duration {
        .milliseconds(Double.random(in: 0.5...1) * Double(min(1 << min(attempt, 8), 200)))
    }
}

// MARK: - What waits

extension Store {
    /// The operations that wait or run, in the order in which they were submitted.
    public var operations: [OperationInfo] { pipeline.operations }

    /// Cancels the operations that wait under a name: they throw ``StoreError/Code/cancelled``.
    ///
    /// Those that run come to their own end.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelOperations(named identifier: String) -> Int { pipeline.cancel(named: identifier) }
}

extension Store {
    /// Runs a block that changes the store, as one transaction.
    ///
    /// The block works on a fresh context over one moment of the store. What it has changed when it returns is saved, and is in the store
    /// when `write` returns. If it throws, nothing of it is: not even what it has saved itself. **A block that another writer of the store
    /// overtook runs again**, up to five times unless `retries` says otherwise. So it must do nothing outside of the context that it can't
    /// do twice; one that does gets `retries: 0`.
    ///
    /// The writes of a process run one at a time, in the order in which `write` was called, unless ``StoreOptions/writes`` says otherwise:
    /// a call takes its ticket before it suspends. Other processes write meanwhile where the store lets them, as one on PostgreSQL does. A
    /// write whose task is cancelled before its block has ended throws ``StoreError/Code/cancelled`` and leaves nothing. A block runs from
    /// beginning to end on one thread, which is none of Swift's cooperative ones, so it may block.
    ///
    /// A block must not wait for other tasks: those may wait for a write that shares its commit (``StoreOptions/groupsCommits``).
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors, in logs and in the history; nil for its place in the program, which the history
    ///     doesn't keep.
    ///   - lane: Writes of one lane keep their order, also where others run at once: see ``StoreOptions/WriteOrder/concurrent(limit:)``.
    ///   - isolation: What the block is protected from that others do meanwhile; nil for what the store is configured for, which is
    ///     ``WriteIsolation/snapshot`` unless it says otherwise.
    ///   - retries: How often the block may be run again when another transaction got in its way (``StoreError/Code/contention``,
    ///     ``StoreError/Code/conflict``), or when the server was lost before anything was saved (``StoreError/Code/connectionLost``). After
    ///     that the error is thrown. Nil is five times in a store with ``StoreCapabilities/concurrentWrites``, and never in one with one
    ///     writer, where nothing gets in a block's way. Each time the block takes a new place in the order, and is never refused for want
    ///     of room. In the pause before that it waits: it is one of the ``operations``, ends when it is cancelled by its name, and is
    ///     refused when the store is closed.
    ///   - whenFull: What becomes of it when ``StoreOptions/waitingLimit`` operations wait; nil for ``StoreOptions/whenFull``.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside. What it returns may cross: values, identifiers, snapshots.
    @discardableResult
    public func write<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        whenFull: StoreOptions.WhenFull? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await block(.write, identifier, lane, isolation, whenFull, fileID, line).write(
            retries: retries, body)
    }

    /// Runs a block that reads one moment of the store, beside writes and other reads.
    ///
    /// All that it fetches is of that moment, which is no earlier than the end of every write that had returned when `read` was called.
    /// Reads begin in the order in which they were submitted, as many at a time as ``StoreOptions/readLimit`` lets. The block's context
    /// can't save.
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors and in logs; nil for its place in the program.
    ///   - whenFull: What becomes of it when ``StoreOptions/waitingLimit`` operations wait; nil for ``StoreOptions/whenFull``.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside. What it returns may cross: values, identifiers, snapshots.
    public func read<Value: Sendable>(
        _ identifier: String? = nil, whenFull: StoreOptions.WhenFull? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let block = block(.read, identifier, nil, nil, whenFull, fileID, line)
        return try await pipeline.read(block.label) { try block.read(body) }
    }

    func block(
        _ kind: PipelineQueue.Kind, _ identifier: String?, _ lane: String?, _ isolation: WriteIsolation?,
        _ whenFull: StoreOptions.WhenFull?, _ fileID: StaticString, _ line: UInt
    ) -> PipelineBlock {
        let site = CallSite(fileID: fileID, line: line)
        var label = OperationLabel(
            kind: kind, identifier: identifier ?? site.description, lane: lane, whenFull: whenFull)
        label.isolation = isolation
        label.isNamed = identifier != nil
        return PipelineBlock(pipeline: pipeline, label: label, site: site)
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

// MARK: - Tasks that read and write often

extension Store {
    /// Runs tasks on threads of the store, where what they ask it for needs no change of thread.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(store.taskExecutor) {
    ///     for id in ids {
    ///         print(try await store.read("title") { try $0.object(with: id, as: Game.self).title })
    ///     }
    /// }
    /// ```
    ///
    /// Swift's cooperative pool must not be blocked, so a block that a task of it asks for runs on another thread, and the task goes on
    /// when that one has told it. The way there and back takes several times as long as to look an object up. A task that prefers this
    /// executor is on a thread that may block: a block whose turn comes at once runs right there. All else stays as it is: the order,
    /// what a block sees, and that a task which has to wait for its turn is suspended.
    ///
    /// There are as many of these threads as reads may run at once (``StoreOptions/readLimit``). Where more tasks want one, a task that has
    /// had its thread for ten milliseconds goes behind them with the next block that it asks for. What an actor asks for runs elsewhere all
    /// the same, so that the actor is free meanwhile; so does what a ``ContextActor`` does.
    public var taskExecutor: any TaskExecutor { pipeline.taskThreads }
}

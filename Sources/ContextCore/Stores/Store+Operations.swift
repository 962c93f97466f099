extension Store {
    /// Runs a block that changes the store, as one transaction.
    ///
    /// The block uses a new context over a snapshot of the store. When it returns, its changes are saved and committed, and `write` returns
    /// after the commit. If it throws, all of its changes are rolled back, including those that it has saved itself. **A block that
    /// conflicts with another writer of the store runs again**, up to five times unless `retries` says otherwise. So it must have no side
    /// effects outside the context that can't be repeated; otherwise pass `retries: 0`.
    ///
    /// The writes of a process run one at a time, in the order of the calls, unless ``StoreOptions/writes`` says otherwise: a call is
    /// queued before it suspends. Other processes write concurrently if the store supports it, as PostgreSQL does. A write whose task is
    /// cancelled before its block has ended throws ``StoreError/Code/cancelled`` and changes nothing. A block runs on one thread, which is
    /// not one of Swift's cooperative pool, so it may block.
    ///
    /// A block must not wait for other tasks, because they may wait for a write that shares its commit (``StoreOptions/groupsCommits``).
    ///
    /// - Parameters:
    ///   - identifier: The name of the operation in errors, logs and the history; nil for the call site, which the history doesn't record.
    ///   - lane: Writes of one lane keep their order even if writes run concurrently: see ``StoreOptions/WriteOrder/concurrent(limit:)``.
    ///   - isolation: The isolation level of the transaction; nil for the store's default, ``WriteIsolation/snapshot`` unless it is
    ///     configured otherwise.
    ///   - retries: The maximum number of retries after a failure because of another transaction (``StoreError/Code/contention``,
    ///     ``StoreError/Code/conflict``), or after a connection was lost before the commit (``StoreError/Code/connectionLost``); then the
    ///     error is thrown. Nil means 5 in a store with ``StoreCapabilities/concurrentWrites``, and none in a store with one writer, where
    ///     no transaction interferes. Each retry is queued again, and ignores the waiting limit. In the delay before it the operation
    ///     counts as waiting: it is one of the ``operations``, can be cancelled by name, and fails when the store is closed.
    ///   - overflow: What happens if ``StoreOptions/waitingLimit`` operations are waiting; nil for ``StoreOptions/overflow``.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that. It may return any `Sendable` value:
    ///     values, identifiers, snapshots.
    @discardableResult
    public func write<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        overflow: StoreOptions.OverflowPolicy? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await makeBlock(.write, identifier, lane, isolation, overflow, fileID, line).write(
            retries: retries, body)
    }

    /// Runs a block that reads one snapshot of the store, concurrently with writes and other reads.
    ///
    /// All of its fetches see the same snapshot, which includes every write that had returned when `read` was called. Reads start in the
    /// order of submission, up to ``StoreOptions/readLimit`` at a time.
    ///
    /// The block's context is read-only. If it has changes that a save would write when the block returns, `read` throws
    /// ``StoreError/Code/readOnly``, so that they aren't lost unnoticed; an error of the block itself comes first. A block that changes
    /// objects on trial calls ``ObjectContext/rollback()`` before it returns. Transient properties may change. The same holds for reads
    /// inside a write block. Read-only contexts that live longer, such as those of proxies, keep their changes, and their `save` throws.
    ///
    /// - Parameters:
    ///   - identifier: The name of the operation in errors and logs; nil for the call site.
    ///   - overflow: What happens if ``StoreOptions/waitingLimit`` operations are waiting; nil for ``StoreOptions/overflow``.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that. It may return any `Sendable` value:
    ///     values, identifiers, snapshots.
    public func read<Value: Sendable>(
        _ identifier: String? = nil, overflow: StoreOptions.OverflowPolicy? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let block = makeBlock(.read, identifier, nil, nil, overflow, fileID, line)
        return try await pipeline.read(block.label) { try block.read(body) }
    }

    func makeBlock(
        _ kind: PipelineQueue.Kind, _ identifier: String?, _ lane: String?, _ isolation: WriteIsolation?,
        _ overflow: StoreOptions.OverflowPolicy?, _ fileID: StaticString, _ line: UInt
    ) -> PipelineBlock {
        let site = CallSite(fileID: fileID, line: line)
        var label = OperationLabel(
            kind: kind, identifier: identifier ?? site.description, lane: lane, overflow: overflow)
        label.isolation = isolation
        label.isNamed = identifier != nil
        return PipelineBlock(pipeline: pipeline, label: label, site: site)
    }
}

// MARK: - Waiting and running operations

extension Store {
    /// The waiting and running operations, in the order of submission.
    public var operations: [OperationInfo] { pipeline.operations }

    /// The number of waiting and running operations, and the use of the database's connections and caches, for metrics.
    public var statistics: StoreStatistics { pipeline.statistics }

    /// Cancels the waiting operations with a name, which then throw ``StoreError/Code/cancelled``.
    ///
    /// Running operations aren't cancelled.
    ///
    /// - Returns: The number of cancelled operations.
    @discardableResult
    public func cancelOperations(named identifier: String) -> Int { pipeline.cancel(named: identifier) }
}

// MARK: - Tasks that read and write often

extension Store {
    /// A task executor that runs tasks on threads of the store, so that their reads and writes need no thread switch.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(store.taskExecutor) {
    ///     for id in ids {
    ///         print(try await store.read("title") { try $0.object(with: id, as: Game.self).title })
    ///     }
    /// }
    /// ```
    ///
    /// A block must not run on Swift's cooperative pool, because it may block, so it normally runs on another thread, and the task resumes
    /// afterwards. The two thread switches take several times as long as the lookup of an object. A task that prefers this executor runs on
    /// a thread that may block, and a block whose turn comes at once runs on that thread. The order of operations and what a block sees
    /// don't change, and a task still suspends while it waits for its turn.
    ///
    /// There are ``StoreOptions/readLimit`` such threads. If more tasks run, a task that has used its thread for ten milliseconds goes to
    /// the end of the queue at its next block. Blocks of actors, and of a ``ContextActor``, run on other threads, so that the actor isn't
    /// blocked.
    public var taskExecutor: any TaskExecutor { pipeline.taskThreads }
}

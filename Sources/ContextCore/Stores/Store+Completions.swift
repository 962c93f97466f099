public import Dispatch

// Reads and writes with completions, for code without `async`.
extension Store {
    /// Submits a block that changes the store, and calls a completion with what it returned or threw.
    ///
    /// The block is queued at the call. It behaves as in ``write(_:lane:isolation:retries:overflow:fileID:line:_:)``, but runs outside any
    /// task, and needs no thread of Swift's cooperative pool, so it also runs while all threads of that pool are busy.
    ///
    /// Completions of reads and writes of one store that run on one actor run in the order of submission.
    ///
    /// - Parameters:
    ///   - identifier: The name of the operation in errors, logs and the history; nil for the call site, which the history doesn't record.
    ///   - lane: Writes of one lane keep their order.
    ///   - isolation: The isolation level of the transaction; nil for the store's default, ``WriteIsolation/snapshot`` unless it is
    ///     configured otherwise.
    ///   - retries: The maximum number of retries, as in ``write(_:lane:isolation:retries:overflow:fileID:line:_:)``.
    ///   - overflow: What happens if ``StoreOptions/waitingLimit`` operations are waiting; nil for ``StoreOptions/overflow``.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    ///   - completion: Called in the isolation of the calling code: on the main actor for code of the main actor.
    public func write<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        overflow: StoreOptions.OverflowPolicy? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        makeBlock(.write, identifier, lane, isolation, overflow, fileID, line)
            .write(retries: retries, body, completion: pipeline.completions.ordered(completion))
    }

    /// Submits a block that changes the store, and calls a completion on a queue with what it returned or threw.
    ///
    /// Completions of reads and writes of one store on one queue run in the order of submission.
    public func write<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        overflow: StoreOptions.OverflowPolicy? = nil, queue: DispatchQueue, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let ordered = pipeline.completions.ordered(on: queue, completion)
        makeBlock(.write, identifier, lane, isolation, overflow, fileID, line)
            .write(retries: retries, body, completion: ordered)
    }

    /// Submits a block that changes the store, and calls a completion with its result, on an unspecified thread.
    package func submitWrite<Value: Sendable>(
        _ identifier: String, lane: String?, retries: Int?,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        onCompletion completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        makeBlock(.write, identifier, lane, nil, nil, #fileID, #line)
            .write(retries: retries, body, completion: completion)
    }

    /// Submits a block that reads one snapshot of the store, and calls a completion with its result, on an unspecified thread.
    package func submitRead<Value: Sendable>(
        _ identifier: String, _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        onCompletion completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        makeBlock(.read, identifier, nil, nil, nil, #fileID, #line).read(
            body, completion: completion)
    }

    /// Submits a block that reads one snapshot of the store, and calls a completion with what it returned or threw.
    ///
    /// The block is queued at the call. It behaves as in ``read(_:overflow:fileID:line:_:)``, but runs outside any task, and needs no
    /// thread of Swift's cooperative pool, so it also runs while all threads of that pool are busy.
    ///
    /// Completions of reads and writes of one store that run on one actor run in the order of submission. Reads still run concurrently, so
    /// the completion of a fast read waits for that of a slow one submitted before it. If a read must not wait, pass a separate queue, or
    /// await it.
    ///
    /// - Parameters:
    ///   - identifier: The name of the operation in errors and logs; nil for the call site.
    ///   - overflow: What happens if ``StoreOptions/waitingLimit`` operations are waiting; nil for ``StoreOptions/overflow``.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call.
    ///   - body: Receives the context, which must not leave the block; the compiler checks that.
    ///   - completion: Called in the isolation of the calling code: on the main actor for code of the main actor.
    public func read<Value: Sendable>(
        _ identifier: String? = nil, overflow: StoreOptions.OverflowPolicy? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        makeBlock(.read, identifier, nil, nil, overflow, fileID, line)
            .read(body, completion: pipeline.completions.ordered(completion))
    }

    /// Submits a block that reads one snapshot of the store, and calls a completion on a queue with what it returned or threw.
    ///
    /// Completions of reads and writes of one store on one queue run in the order of submission.
    public func read<Value: Sendable>(
        _ identifier: String? = nil, overflow: StoreOptions.OverflowPolicy? = nil, queue: DispatchQueue,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let ordered = pipeline.completions.ordered(on: queue, completion)
        makeBlock(.read, identifier, nil, nil, overflow, fileID, line)
            .read(body, completion: ordered)
    }
}

// Methods with the names that the package multi-threaded-core-data uses.
extension Store {
    /// Runs a block that changes the store, like ``write(_:lane:isolation:retries:overflow:fileID:line:_:)``.
    ///
    /// It excludes reads only in a store opened with `StoreOptions(discipline: .exclusive)`; by default reads run concurrently.
    ///
    /// In multi-threaded-core-data a coordinated write runs alone. Use ``StoreOptions/Discipline/exclusive`` for the same behavior:
    ///
    /// ```swift
    /// let options = StoreOptions(discipline: .exclusive)
    /// let store = try await Store.open("sqlite:games.sqlite", backends: [.sqlite], model: [Game.self, Player.self], options: options)
    /// ```
    ///
    /// With ``StoreOptions/Discipline/snapshot``, the default, writes exclude each other, and a concurrent read sees the store as it was
    /// before the write.
    @discardableResult
    public func coordinateWriting<Value: Sendable>(
        identifier: String, retries: Int? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await write(identifier, retries: retries, fileID: fileID, line: line, body)
    }

    /// Runs a block that reads the store, like ``read(_:overflow:fileID:line:_:)``.
    ///
    /// It excludes writes only in a store opened with `StoreOptions(discipline: .exclusive)`; by default writes run concurrently.
    ///
    /// ``coordinateWriting(identifier:retries:fileID:line:_:)`` shows how to set that option. Without it a write may commit while the block
    /// runs, but the block sees one snapshot of the store in any case.
    public func coordinateReading<Value: Sendable>(
        identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await read(identifier, fileID: fileID, line: line, body)
    }
}

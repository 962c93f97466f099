public import Dispatch

// Reads and writes with completions, for code without `async`.
extension Store {
    /// Submits a block that changes the store, and calls a completion with what it returned or threw.
    ///
    /// The place in the order is taken when it is called. What it does is what ``write(_:lane:isolation:retries:whenFull:fileID:line:_:)`` says, but the
    /// block belongs to no task: it runs when its turn has come, also while every thread of Swift's cooperative pool is busy.
    ///
    /// Completions of reads and writes of one store that run on one actor run in the order of submission.
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors, in logs and in the history; nil for its place in the program, which the history
    ///     doesn't keep.
    ///   - lane: Writes of one lane keep their order.
    ///   - isolation: What the block is protected from that others do meanwhile; nil for what the store is configured for, which is
    ///     ``WriteIsolation/snapshot`` unless it says otherwise.
    ///   - retries: How often the block may be run again, as ``write(_:lane:isolation:retries:whenFull:fileID:line:_:)`` says.
    ///   - whenFull: What becomes of it when ``StoreOptions/waitingLimit`` operations wait; nil for ``StoreOptions/whenFull``.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs in the isolation that it was written in: on the main actor for code of the main actor.
    public func write<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        whenFull: StoreOptions.WhenFull? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        block(.write, identifier, lane, isolation, whenFull, fileID, line)
            .write(retries: retries, body, completion: pipeline.completions.ordered(completion))
    }

    /// Submits a block that changes the store, and calls a completion on a queue with what it returned or threw.
    ///
    /// Completions of reads and writes of one store go to one queue in the order of submission.
    public func write<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        whenFull: StoreOptions.WhenFull? = nil, queue: DispatchQueue, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let ordered = pipeline.completions.ordered(on: queue, completion)
        block(.write, identifier, lane, isolation, whenFull, fileID, line)
            .write(retries: retries, body, completion: ordered)
    }

    /// Submits a block that changes the store, and calls a completion on whatever thread its result is known.
    package func submitWrite<Value: Sendable>(
        _ identifier: String, lane: String?, retries: Int?,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        telling completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        block(.write, identifier, lane, nil, nil, #fileID, #line)
            .write(retries: retries, body, completion: completion)
    }

    /// Submits a block that reads one snapshot of the store, and calls a completion on whatever thread its result is known.
    package func submitRead<Value: Sendable>(
        _ identifier: String, _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        telling completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        block(.read, identifier, nil, nil, nil, #fileID, #line).read(
            body, completion: completion)
    }

    /// Submits a block that reads one snapshot of the store, and calls a completion with what it returned or threw.
    ///
    /// The place in the order is taken when it is called. What it does is what ``read(_:whenFull:fileID:line:_:)`` says, but the block belongs to
    /// no task: it runs when its turn has come, also while every thread of Swift's cooperative pool is busy.
    ///
    /// Completions of reads and writes of one store that run on one actor run in the order of submission. Reads run concurrently all the
    /// same, so the completion of a fast read waits for that of a slow one submitted before it. A read that must not wait gets a queue of
    /// its own, or is awaited.
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors and in logs; nil for its place in the program.
    ///   - whenFull: What becomes of it when ``StoreOptions/waitingLimit`` operations wait; nil for ``StoreOptions/whenFull``.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs in the isolation that it was written in: on the main actor for code of the main actor.
    public func read<Value: Sendable>(
        _ identifier: String? = nil, whenFull: StoreOptions.WhenFull? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        block(.read, identifier, nil, nil, whenFull, fileID, line)
            .read(body, completion: pipeline.completions.ordered(completion))
    }

    /// Submits a block that reads one snapshot of the store, and calls a completion on a queue with what it returned or threw.
    ///
    /// Completions of reads and writes of one store go to one queue in the order of submission.
    public func read<Value: Sendable>(
        _ identifier: String? = nil, whenFull: StoreOptions.WhenFull? = nil, queue: DispatchQueue,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let ordered = pipeline.completions.ordered(on: queue, completion)
        block(.read, identifier, nil, nil, whenFull, fileID, line)
            .read(body, completion: ordered)
    }
}

// The names that multi-threaded-core-data gave to the two.
extension Store {
    /// Does what ``write(_:lane:isolation:retries:whenFull:fileID:line:_:)`` does.
    ///
    /// It excludes reads only in a store opened with
    /// `StoreOptions(discipline: .exclusive)`; by default reads run beside it.
    ///
    /// In multi-threaded-core-data a coordinated write runs alone. ``StoreOptions/Discipline/exclusive`` switches that on:
    ///
    /// ```swift
    /// let options = StoreOptions(discipline: .exclusive)
    /// let store = try await Store.open("sqlite:games.sqlite", backends: [.sqlite], model: [Game.self, Player.self], options: options)
    /// ```
    ///
    /// With ``StoreOptions/Discipline/snapshot``, the default, writes exclude each other, and a read that runs beside one sees the store as
    /// it was before that.
    @discardableResult
    public func coordinateWriting<Value: Sendable>(
        identifier: String, retries: Int? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await write(identifier, retries: retries, fileID: fileID, line: line, body)
    }

    /// Does what ``read(_:whenFull:fileID:line:_:)`` does.
    ///
    /// It excludes writes only in a store opened with
    /// `StoreOptions(discipline: .exclusive)`; by default writes run beside it.
    ///
    /// ``coordinateWriting(identifier:retries:fileID:line:_:)`` shows how that is switched on. Without it a write may commit while the block
    /// runs, and the block still sees one snapshot of the store.
    public func coordinateReading<Value: Sendable>(
        identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await read(identifier, fileID: fileID, line: line, body)
    }
}

public import Dispatch

// For code that is told when something is done, rather than waits for it.
extension Store {
    /// Submits a block that changes the store, and tells what became of it.
    ///
    /// The place in the order is taken when it is called. What it does is what ``write(_:lane:retries:fileID:line:_:)`` says.
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors and in the history.
    ///   - lane: Writes of one lane keep their order.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs in the isolation that it was written in: on the main actor for code of the main actor.
    public func write<Value: Sendable>(
        _ identifier: String, lane: String = SessionOptions.mainLane, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        let block = block(.write, identifier, lane, fileID, line)
        let place = pipeline.takePlace(block.label)
        Task { [pipeline] in
            let result: Result<Value, any Error>
            do {
                result = .success(
                    try await pipeline.write(block.label, at: place) { try block.write($0, body) })
            } catch {
                result = .failure(error)
            }
            await completion(result)
        }
    }

    /// Submits a block that changes the store, and tells on a queue what became of it.
    public func write<Value: Sendable>(
        _ identifier: String, lane: String = SessionOptions.mainLane, queue: DispatchQueue,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        write(identifier, lane: lane, fileID: fileID, line: line, body) { @Sendable result in
            queue.async { completion(result) }
        }
    }

    /// Submits a block that reads one moment of the store, and tells what became of it.
    ///
    /// The place in the order is taken when it is called. What it does is what ``read(_:fileID:line:_:)`` says.
    ///
    /// - Parameters:
    ///   - identifier: Names the operation in errors and in the history.
    ///   - fileID: Where the block is, for messages.
    ///   - line: The line of the same place.
    ///   - body: Gets the context, which the compiler keeps inside.
    ///   - completion: Runs in the isolation that it was written in: on the main actor for code of the main actor.
    public func read<Value: Sendable>(
        _ identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        @_inheritActorContext completion:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) {
        let block = block(.read, identifier, SessionOptions.mainLane, fileID, line)
        let place = pipeline.takePlace(block.label)
        Task { [pipeline] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await pipeline.read(block.label, at: place) { try block.read(body) })
            } catch {
                result = .failure(error)
            }
            await completion(result)
        }
    }

    /// Submits a block that reads one moment of the store, and tells on a queue what became of it.
    public func read<Value: Sendable>(
        _ identifier: String, queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        read(identifier, fileID: fileID, line: line, body) { @Sendable result in
            queue.async { completion(result) }
        }
    }
}

// The names that multi-threaded-core-data gave to the two.
extension Store {
    /// Does what ``write(_:lane:retries:fileID:line:_:)`` does.
    @discardableResult
    public func coordinateWriting<Value: Sendable>(
        identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await write(identifier, fileID: fileID, line: line, body)
    }

    /// Does what ``read(_:fileID:line:_:)`` does.
    public func coordinateReading<Value: Sendable>(
        identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await read(identifier, fileID: fileID, line: line, body)
    }
}

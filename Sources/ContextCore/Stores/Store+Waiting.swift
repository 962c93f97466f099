// Blocking reads and writes, for code without `async`.
extension Store {
    /// Runs a write block on the calling thread, which blocks until the write is committed.
    ///
    /// It behaves like ``write(_:lane:isolation:retries:overflow:fileID:line:_:)``.
    ///
    /// Inside a block that holds a session of the store it throws ``StoreError/Code/wouldDeadlock``, which names both operations.
    @available(*, noasync, message: "This blocks a thread of Swift's cooperative pool; use write.")
    @discardableResult
    public func writeAndWait<Value: Sendable>(
        _ identifier: String? = nil, lane: String? = nil, isolation: WriteIsolation? = nil,
        retries: Int? = nil,
        overflow: StoreOptions.OverflowPolicy? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        try makeBlock(.write, identifier, lane, isolation, overflow, fileID, line).writeAndWait(
            retries: retries, body)
    }

    /// Runs a read block on the calling thread, which blocks until its turn has come.
    ///
    /// It behaves like ``read(_:overflow:fileID:line:_:)``.
    ///
    /// Inside a write block on the same thread it sees the changes of that block so far, saved or not. Inside a read block it throws
    /// ``StoreError/Code/wouldDeadlock``, which names both operations.
    @available(*, noasync, message: "This blocks a thread of Swift's cooperative pool; use read.")
    public func readAndWait<Value: Sendable>(
        _ identifier: String? = nil, overflow: StoreOptions.OverflowPolicy? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @Sendable (ObjectContext) throws -> Value
    ) throws -> Value {
        let block = makeBlock(.read, identifier, nil, nil, overflow, fileID, line)
        if let running = RunningOperation.current(of: pipeline), running.label.kind == .write,
            let writing = running.context
        {
            return try block.read(inside: writing, body)
        }
        return try pipeline.readAndWait(block.label) { try block.read(body) }
    }

    /// Closes the store like ``close()``, and blocks until all of its resources are released.
    @available(*, noasync, message: "This blocks a thread of Swift's cooperative pool; use close.")
    package func closeAndWait() {
        let signal = ThreadSignal()
        pipeline.close { signal.signal() }
        signal.wait()
    }
}

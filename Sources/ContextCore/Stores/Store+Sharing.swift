extension Store {
    /// The context that everyone shares, made when it is asked for first.
    ///
    /// Blocks run in the order in which they were submitted, and find what the ones before have left, saved or not. It follows what
    /// others save by itself.
    public var shared: ContextActor {
        sharing(pipeline).actor
    }

    /// Runs a block with the context that everyone shares, after all that was submitted earlier.
    ///
    /// Nothing is saved unless it saves. What it returns may cross: values, identifiers, snapshots.
    @discardableResult
    public func performWithSharedContext<Value: Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await shared.perform(fileID: fileID, line: line, body)
    }

    /// Makes a read-only context over the shared one, which stays in the isolation that it is made in.
    public func makeProxy(isolation: isolated (any Actor)? = #isolation) -> ContextProxy {
        ContextProxy(over: sharing(pipeline), model: model, owner: isolation)
    }
}

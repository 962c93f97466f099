// How a block gets its turn, and another one where it may be run again.
extension PipelineBlock {
    /// Runs a block that writes for a task, which waits for it.
    func write<Value: Sendable>(
        retries: Int, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await repetition(retries).run { label in
            try await pipeline.write(label) { try write($0, body) }
        }
    }

    /// Runs a block that writes on the calling thread, which waits for its turn.
    func writeAndWait<Value>(retries: Int, _ body: (ObjectContext) throws -> Value) throws -> Value {
        try repetition(retries).run { label in
            try pipeline.writeAndWait(label) { try write($0, body) }
        }
    }

    /// Lets a block that writes run, and tells what became of it.
    func write<Value: Sendable>(
        retries: Int, _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let work: @Sendable (OperationLabel, @escaping Repetition.Completion<Value>) -> Void = {
            [self] label, completion in
            pipeline.write(label, { try write($0, body) }, completion: completion)
        }
        repetition(retries).run(work, completion: completion)
    }

    /// Lets a block that reads run, and tells what became of it.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        pipeline.read(label, { try read(body) }, completion: completion)
    }

    private func repetition(_ retries: Int) -> Repetition {
        Repetition(pipeline, label, limit: retries, after: Repetition.transient)
    }
}

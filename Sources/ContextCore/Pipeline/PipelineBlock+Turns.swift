// How a block gets its turn, and another one where it may be run again.
extension PipelineBlock {
    /// Runs a block that writes for a task, which waits for it.
    func write<Value: Sendable>(
        retries: Int?, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let value = BlockValue<Value>()
        try await repetition(retries).run { label in
            try await pipeline.write(label) { share in try write(share) { value.keep(try body($0)) } }
        }
        return value.get()
    }

    /// Runs a block that writes on the calling thread, which waits for its turn.
    func writeAndWait<Value>(retries: Int?, _ body: (ObjectContext) throws -> Value) throws -> Value {
        let value = BlockValue<Value>()
        try repetition(retries).run { label in
            try pipeline.writeAndWait(label) { share in try write(share) { value.keep(try body($0)) } }
        }
        return value.get()
    }

    /// Lets a block that writes run, and tells what became of it.
    func write<Value: Sendable>(
        retries: Int?, _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let value = BlockValue<Value>()
        let work: @Sendable (OperationLabel, @escaping Repetition.Completion<Void>) -> Void = {
            [self] label, completion in
            pipeline.write(
                label, { share in try write(share) { value.keep(try body($0)) } }, completion: completion)
        }
        repetition(retries).run(work) { result in completion(result.map { value.get() }) }
    }

    /// Lets a block that reads run, and tells what became of it.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        pipeline.read(label, { try read(body) }, completion: completion)
    }

    private func repetition(_ retries: Int?) -> Repetition {
        Repetition(pipeline, label, limit: retries, after: Repetition.transient)
    }
}

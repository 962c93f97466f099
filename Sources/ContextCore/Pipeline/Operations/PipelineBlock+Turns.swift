// Submitting blocks, with retries.
extension PipelineBlock {
    /// Runs a write block for a task.
    func write<Value: Sendable>(
        retries: Int?, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let value = BlockValue<Value>()
        try await retryPolicy(retries).run { label in
            try await pipeline.write(label) { share in try write(share) { value.set(try body($0)) } }
        }
        return value.get()
    }

    /// Runs a write block on the calling thread, which blocks until its turn has come.
    func writeAndWait<Value>(retries: Int?, _ body: (ObjectContext) throws -> Value) throws -> Value {
        let value = BlockValue<Value>()
        try retryPolicy(retries).run { label in
            try pipeline.writeAndWait(label) { share in try write(share) { value.set(try body($0)) } }
        }
        return value.get()
    }

    /// Submits a write block, and passes its result to a completion.
    func write<Value: Sendable>(
        retries: Int?, _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let value = BlockValue<Value>()
        let work: @Sendable (OperationLabel, @escaping RetryPolicy.Completion<Void>) -> Void = {
            [self] label, completion in
            pipeline.write(
                label, { share in try write(share) { value.set(try body($0)) } }, completion: completion)
        }
        retryPolicy(retries).run(work) { result in completion(result.map { value.get() }) }
    }

    /// Submits a read block, and passes its result to a completion.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ObjectContext) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        pipeline.read(label, { try read(body) }, completion: completion)
    }

    private func retryPolicy(_ retries: Int?) -> RetryPolicy {
        RetryPolicy(pipeline, label, limit: retries, after: RetryPolicy.transient)
    }
}

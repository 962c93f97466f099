/// The turn of an operation that runs on a thread of the pipeline and reports its result to a completion.
///
/// It needs no thread of Swift's cooperative pool, so it runs promptly even if that pool is busy.
final class CompletionTurn<Value: Sendable>: PipelineTurn {
    private let pipeline: Pipeline
    private let work: @Sendable (PipelineTicket) throws -> Value
    private let completion: @Sendable (Result<Value, any Error>) -> Void

    init(
        _ pipeline: Pipeline, _ work: @escaping @Sendable (PipelineTicket) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.pipeline = pipeline
        self.work = work
        self.completion = completion
    }

    var isReady: Bool { true }

    func start(_ ticket: PipelineTicket) {
        pipeline.threads.run { [self] in
            let result = Result { try work(ticket) }
            // Finishes first, so that the next operation doesn't wait for the program's log handler and completion on this thread.
            pipeline.finish(ticket)
            completion(result)
        }
    }

    func refuse(_ error: StoreError) { completion(.failure(error)) }
}

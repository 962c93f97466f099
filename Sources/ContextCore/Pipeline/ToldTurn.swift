/// The turn of an operation that nobody waits for: it runs on a thread of the pipeline, and its end is told.
///
/// No task has to run before it, so it keeps its place no longer than its work takes, however busy Swift's cooperative pool is.
final class ToldTurn<Value: Sendable>: PipelineTurn {
    private let pipeline: Pipeline
    private let work: @Sendable (BegunTurn) throws -> Value
    private let completion: @Sendable (Result<Value, any Error>) -> Void

    init(
        _ pipeline: Pipeline, _ work: @escaping @Sendable (BegunTurn) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.pipeline = pipeline
        self.work = work
        self.completion = completion
    }

    var isReady: Bool { true }

    func begin(_ ticket: PipelineTicket, takesOver: Bool) {
        pipeline.threads.run(takesOver: takesOver) { [self] in
            let result = Result { try work(BegunTurn(ticket: ticket, isOnLentThread: true)) }
            pipeline.finish(ticket, takesOver: true)
            completion(result)
        }
    }

    func refuse(_ error: StoreError) { completion(.failure(error)) }
}

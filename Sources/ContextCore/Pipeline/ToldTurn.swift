/// The turn of an operation that nobody waits for: it runs on a thread of the pipeline, and its end is told.
///
/// No task has to run before it, so it keeps its place no longer than its work takes, however busy Swift's cooperative pool is.
final class ToldTurn<Value: Sendable>: PipelineTurn {
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

    func begin(_ ticket: PipelineTicket) {
        pipeline.threads.run { [self] in
            let result = Result { try work(ticket) }
            // Whoever comes next has another thread: with a log, or where the end is told right here, this one runs the program's code.
            pipeline.finish(ticket)
            completion(result)
        }
    }

    func refuse(_ error: StoreError) { completion(.failure(error)) }
}

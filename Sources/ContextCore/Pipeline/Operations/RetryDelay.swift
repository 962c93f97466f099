/// The delay before an operation is retried, as a turn that comes when the delay is over.
///
/// During the delay the operation is in no queue, but it can be cancelled, and fails if the store closes.
final class RetryDelay: PipelineTurn {
    private let end = OutcomeWaiter()

    var isReady: Bool { false }

    func start(_ ticket: PipelineTicket) { end.resume(.success(())) }
    func refuse(_ error: StoreError) { end.resume(.failure(error)) }

    /// Blocks the calling thread for the delay.
    func wait(_ time: Duration, _ label: OperationLabel, in pipeline: Pipeline) throws {
        let signal = ThreadSignal()
        end.whenCompleted { _ in signal.signal() }
        let ticket = pipeline.startRetryDelay(label, self)
        pipeline.environment.pause(time, signal)
        pipeline.endRetryDelay(ticket)
        try end.wait()
    }

    /// Suspends the task for the delay, or until the task is cancelled.
    func value(_ time: Duration, _ label: OperationLabel, in pipeline: Pipeline) async throws {
        let ticket = begin(time, label, in: pipeline)
        try await withTaskCancellationHandler {
            try await end.value()
        } onCancel: {
            pipeline.cancel(ticket)
        }
    }

    /// Calls a completion when the delay is over, or with an error if the operation was cancelled or the store closed.
    func start(
        _ time: Duration, _ label: OperationLabel, in pipeline: Pipeline,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        end.whenCompleted(completion)
        _ = begin(time, label, in: pipeline)
    }

    private func begin(_ time: Duration, _ label: OperationLabel, in pipeline: Pipeline) -> PipelineTicket {
        let ticket = pipeline.startRetryDelay(label, self)
        pipeline.environment.later(time) { pipeline.endRetryDelay(ticket) }
        return ticket
    }
}

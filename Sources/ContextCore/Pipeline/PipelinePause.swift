/// The pause of an operation before it is done again: a turn that comes when the pause is over.
///
/// The operation is in no line meanwhile; but it can be cancelled, and is refused when the store is closed.
final class PipelinePause: PipelineTurn {
    private let end = OutcomeWaiter()

    var isReady: Bool { false }

    func begin(_ ticket: PipelineTicket) { end.resume(.success(())) }
    func refuse(_ error: StoreError) { end.resume(.failure(error)) }

    /// Pauses on the calling thread.
    func wait(_ time: Duration, _ label: OperationLabel, in pipeline: Pipeline) throws {
        let signal = ThreadSignal()
        end.tell { _ in signal.signal() }
        let ticket = pipeline.beginPause(label, self)
        pipeline.surroundings.pause(time, signal)
        pipeline.endPause(ticket)
        try end.wait()
    }

    /// Lets a task pause, until its time has passed or it is cancelled.
    func value(_ time: Duration, _ label: OperationLabel, in pipeline: Pipeline) async throws {
        let ticket = begin(time, label, in: pipeline)
        try await withTaskCancellationHandler {
            try await end.value()
        } onCancel: {
            pipeline.cancel(ticket)
        }
    }

    /// Tells when the pause is over, and whether the operation may go on.
    func tell(
        _ time: Duration, _ label: OperationLabel, in pipeline: Pipeline,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        end.tell(completion)
        _ = begin(time, label, in: pipeline)
    }

    private func begin(_ time: Duration, _ label: OperationLabel, in pipeline: Pipeline) -> PipelineTicket {
        let ticket = pipeline.beginPause(label, self)
        pipeline.surroundings.later(time) { pipeline.endPause(ticket) }
        return ticket
    }
}

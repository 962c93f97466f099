/// The turn of an operation that a task waits for without blocking a thread.
///
/// The task suspends by switching to this actor, whose executor stores the job until the turn has come and then runs it on a thread of
/// the pipeline. So the block runs in its task, with the task's local values and cancellation state, and costs two executor switches.
actor TaskTurn {
    nonisolated let executor: TurnExecutor

    init(_ executor: TurnExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs a closure on a thread of the pipeline once the turn has come; throws if the operation was rejected or cancelled.
    func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
        try executor.checkRefusal()
        return try body()
    }
}

/// The executor that stores a task's job until its turn has come, and then runs it.
///
/// `state` is guarded by its mutex.
final class TurnExecutor: SerialExecutor, PipelineTurn {
    private enum Decision {
        case begin(PipelineTicket), refuse(StoreError)
    }

    private struct State {
        var job: UnownedJob?
        var decision: Decision?
    }

    private let pipeline: Pipeline
    private let state = Guarded(State())

    init(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isDecided = state.withLock { state in
            state.job = job
            return state.decision != nil
        }
        if isDecided { run() }
    }

    var isReady: Bool { state.withLock { $0.job != nil } }

    func start(_ ticket: PipelineTicket) { decide(.begin(ticket)) }
    func refuse(_ error: StoreError) { decide(.refuse(error)) }

    func checkRefusal() throws {
        if case .refuse(let error) = state.withLock({ $0.decision }) { throw error }
    }

    private func decide(_ decision: Decision) {
        let isAwaited = state.withLock { state in
            state.decision = decision
            return state.job != nil
        }
        if isAwaited { run() }
    }

    private func run() {
        pipeline.threads.run { [self] in
            let (job, decision) = state.withLock { state in
                defer { state.job = nil }
                return (state.job, state.decision)
            }
            job?.runSynchronously(on: asUnownedSerialExecutor())
            if case .begin(let ticket) = decision { pipeline.finish(ticket) }
        }
    }
}

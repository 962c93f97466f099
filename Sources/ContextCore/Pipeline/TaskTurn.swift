/// The turn of an operation that a task waits for, without blocking a thread.
///
/// The task suspends by going over to this actor, whose executor keeps it until the turn has come and then lets it run on a
/// thread of the pipeline. So the block runs in its task: it sees the task's local values and whether it was cancelled; and
/// there is one hop in and one hop out.
actor TaskTurn {
    nonisolated let executor: TurnExecutor

    init(_ executor: TurnExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs on a thread of the pipeline once the turn has come, or throws if it never will.
    func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
        try executor.checkRefusal()
        return try body()
    }
}

/// Keeps a task until its turn has come.
///
/// `state` is guarded by its mutex.
final class TurnExecutor: SerialExecutor, PipelineTurn {
    private enum Answer {
        case begin(PipelineTicket), refuse(StoreError)
    }

    private struct State {
        var job: UnownedJob?
        var answer: Answer?
    }

    private let pipeline: Pipeline
    private let state = Guarded(State())

    init(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isAnswered = state.withLock { state in
            state.job = job
            return state.answer != nil
        }
        if isAnswered { run() }
    }

    var isReady: Bool { state.withLock { $0.job != nil } }

    func begin(_ ticket: PipelineTicket) { answer(.begin(ticket)) }
    func refuse(_ error: StoreError) { answer(.refuse(error)) }

    func checkRefusal() throws {
        if case .refuse(let error) = state.withLock({ $0.answer }) { throw error }
    }

    private func answer(_ answer: Answer) {
        let isAwaited = state.withLock { state in
            state.answer = answer
            return state.job != nil
        }
        if isAwaited { run() }
    }

    private func run() {
        pipeline.threads.run { [self] in
            let (job, answer) = state.withLock { state in
                defer { state.job = nil }
                return (state.job, state.answer)
            }
            job?.runSynchronously(on: asUnownedSerialExecutor())
            if case .begin(let ticket) = answer { pipeline.finish(ticket) }
        }
    }
}

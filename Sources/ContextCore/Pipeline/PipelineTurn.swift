/// What waits for an operation's turn.
protocol PipelineTurn: AnyObject, Sendable {
    /// Whether the operation could begin at once, if its turn came now.
    var isReady: Bool { get }
    /// The turn has come.
    ///
    /// `takesOver` says that the caller's thread is about to be free for it.
    func begin(_ ticket: PipelineTicket, takesOver: Bool)
    /// The turn will never come.
    func refuse(_ error: StoreError)
}

/// The turn of an operation whose thread waits for it, and runs it itself.
final class ThreadTurn: PipelineTurn {
    private let signal = ThreadSignal()
    private let refusal = Guarded<StoreError?>(nil)

    var isReady: Bool { true }

    func begin(_ ticket: PipelineTicket, takesOver: Bool) { signal.signal() }

    func refuse(_ error: StoreError) {
        refusal.withLock { $0 = error }
        signal.signal()
    }

    /// Blocks the thread until the turn has come.
    func wait() throws {
        signal.wait()
        if let error = refusal.withLock({ $0 }) { throw error }
    }
}

/// The turn of an operation that nobody waits for.
final class LaterTurn: PipelineTurn {
    private let pipeline: Pipeline
    private let body: @Sendable () -> Void

    init(_ pipeline: Pipeline, _ body: @escaping @Sendable () -> Void) {
        self.pipeline = pipeline
        self.body = body
    }

    var isReady: Bool { true }

    func begin(_ ticket: PipelineTicket, takesOver: Bool) {
        pipeline.threads.run(takesOver: takesOver) { [self] in
            body()
            pipeline.finish(ticket, takesOver: true)
        }
    }

    func refuse(_ error: StoreError) {}
}

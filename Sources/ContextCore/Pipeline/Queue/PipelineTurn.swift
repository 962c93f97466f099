/// An object that is notified when an operation's turn comes.
protocol PipelineTurn: AnyObject, Sendable {
    /// Whether the operation can start as soon as its turn comes.
    var isReady: Bool { get }
    /// Starts the operation, because its turn has come.
    func start(_ ticket: PipelineTicket)
    /// Fails the operation, because its turn will never come.
    func refuse(_ error: StoreError)
}

/// The turn of an operation that runs on the thread that waits for it.
final class ThreadTurn: PipelineTurn {
    private let signal = ThreadSignal()
    private let refusal = Guarded<StoreError?>(nil)

    var isReady: Bool { true }

    func start(_ ticket: PipelineTicket) { signal.signal() }

    func refuse(_ error: StoreError) {
        refusal.withLock { $0 = error }
        signal.signal()
    }

    /// Blocks the thread until the turn has come; throws if the operation was rejected or cancelled.
    func wait() throws {
        signal.wait()
        if let error = refusal.withLock({ $0 }) { throw error }
    }
}

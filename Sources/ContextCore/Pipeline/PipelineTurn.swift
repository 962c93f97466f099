/// An object that waits for an operation's turn.
protocol PipelineTurn: AnyObject, Sendable {
    /// Whether the operation could start at once if its turn came now.
    var isReady: Bool { get }
    /// Starts the operation: its turn has come.
    func start(_ ticket: PipelineTicket)
    /// Fails the operation: its turn will never come.
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

    /// Blocks the thread until the turn has come, and throws if it never will.
    func wait() throws {
        signal.wait()
        if let error = refusal.withLock({ $0 }) { throw error }
    }
}

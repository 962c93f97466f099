/// What waits for an operation's turn.
protocol PipelineTurn: AnyObject, Sendable {
    /// Whether the operation could begin at once, if its turn came now.
    var isReady: Bool { get }
    /// The turn has come.
    func begin(_ ticket: PipelineTicket)
    /// The turn will never come.
    func refuse(_ error: StoreError)
}

/// The turn of an operation whose thread waits for it, and runs it itself.
final class ThreadTurn: PipelineTurn {
    private let signal = ThreadSignal()
    private let refusal = Guarded<StoreError?>(nil)

    var isReady: Bool { true }

    func begin(_ ticket: PipelineTicket) { signal.signal() }

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

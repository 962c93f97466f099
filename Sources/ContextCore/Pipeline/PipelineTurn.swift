import Dispatch
import Synchronization

/// What waits for an operation's turn.
protocol PipelineTurn: AnyObject, Sendable {
    /// The turn has come.
    ///
    /// `takesOver` says that the caller's thread is about to be free for it.
    func begin(_ ticket: PipelineTicket, takesOver: Bool)
    /// The turn will never come.
    func refuse(_ error: StoreError)
}

/// The turn of an operation whose thread waits for it, and runs it itself.
final class ThreadTurn: PipelineTurn {
    private let semaphore = DispatchSemaphore(value: 0)
    private let refusal = Mutex<StoreError?>(nil)

    func begin(_ ticket: PipelineTicket, takesOver: Bool) { semaphore.signal() }

    func refuse(_ error: StoreError) {
        refusal.withLock { $0 = error }
        semaphore.signal()
    }

    /// Blocks the thread until the turn has come.
    func wait() throws {
        semaphore.wait()
        if let error = refusal.withLock({ $0 }) { throw error }
    }
}

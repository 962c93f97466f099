import ContextCore
import Foundation

/// A thread that runs only while its scheduler waits for it.
///
/// One that has nothing to do is kept for whichever scheduler wants one next: to start a thread takes longer than most work.
///
/// `state` is guarded by its mutex; the two signals hand the turn to and fro.
final class SeededThread: Sendable {
    private struct State {
        var work: (@Sendable () -> Void)?
        /// What has to hold before it goes on.
        var mayGoOn: ScheduledThread.Condition = { true }
    }

    /// The threads that have nothing to do.
    private static let idle = Guarded<[SeededThread]>([])

    private let state = Guarded(State())
    private let turn = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)

    private init() {
        Thread { [self] in
            let scheduled = ScheduledThread { [self] mayGoOn in
                state.withLock { $0.mayGoOn = mayGoOn }
                isDone.signal()
                turn.wait()
            }
            turn.wait()
            while let work = state.withLock({ $0.work }) {
                scheduled.run(work)
                state.withLock { $0 = State() }
                isDone.signal()
                turn.wait()
            }
        }.start()
    }

    /// Gives a thread something to do, which it begins when it goes on.
    static func begin(_ work: @escaping @Sendable () -> Void) -> SeededThread {
        let thread = idle.withLock { $0.popLast() } ?? SeededThread()
        thread.state.withLock { $0.work = work }
        return thread
    }

    /// Lets the thread run until it pauses or its work has ended, and says whether that has; it doesn't run while it may not go on.
    func goOn() -> Bool {
        guard state.withLock({ $0.mayGoOn })() else { return false }
        turn.signal()
        isDone.wait()
        let hasEnded = state.withLock { $0.work == nil }
        if hasEnded { Self.idle.withLock { $0.append(self) } }
        return hasEnded
    }
}

import ContextCore
import Foundation

/// A thread that runs only at its turns in a schedule.
///
/// Idle threads are kept for the next scheduler that needs one, since starting a thread takes longer than most work.
///
/// A mutex guards `state`; the semaphore signals the thread's turn.
final class SeededThread: Sendable {
    private struct State {
        var task: (work: @Sendable () -> Void, scheduler: SeededScheduler)?
        /// The condition for its next turn.
        var condition: ScheduledThread.Condition = { true }
    }

    /// The threads without work.
    private static let idle = Guarded<[SeededThread]>([])

    private let state = Guarded(State())
    private let turn = DispatchSemaphore(value: 0)

    private init() {
        Thread { [self] in
            let scheduled = ScheduledThread { [self] condition in
                state.withLock { $0.condition = condition }
                state.withLock { $0.task?.scheduler }?.pause(self)
            }
            while true {
                turn.wait()
                while runWork(as: scheduled) {}
            }
        }.start()
    }

    /// Runs the thread's work, and returns whether it has got more.
    private func runWork(as scheduled: ScheduledThread) -> Bool {
        guard let (work, scheduler) = state.withLock({ $0.task }) else { return false }
        scheduled.run(work)
        state.withLock { $0 = State() }
        guard let next = scheduler.workAfterEnd(of: self) else { return false }
        state.withLock { $0.task = (next, scheduler) }
        return true
    }

    // MARK: For the scheduler

    /// Returns a thread with work, which starts when the thread is woken.
    static func begin(_ work: @escaping @Sendable () -> Void, in scheduler: SeededScheduler) -> SeededThread {
        let thread = idle.withLock { $0.popLast() } ?? SeededThread()
        thread.state.withLock { $0.task = (work, scheduler) }
        return thread
    }

    /// Whether the thread can run at its turn.
    var canRun: Bool { state.withLock { $0.condition }() }
    /// Starts the thread's turn.
    func wake() { turn.signal() }
    /// Blocks this thread until its turn.
    func wait() { turn.wait() }
    /// Adds the thread to the idle ones.
    func rest() { Self.idle.withLock { $0.append(self) } }
}

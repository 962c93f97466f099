import ContextCore
import Foundation

/// A thread that runs only when it is its turn in a schedule.
///
/// One that has nothing to do is kept for whichever scheduler wants one next: to start a thread takes longer than most work.
///
/// `state` is guarded by its mutex; a signal says that it is the thread's turn.
final class SeededThread: Sendable {
    private struct State {
        var task: (work: @Sendable () -> Void, scheduler: SeededScheduler)?
        /// What has to hold before it goes on.
        var condition: ScheduledThread.Condition = { true }
    }

    /// The threads that have nothing to do.
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
                while goesOn(as: scheduled) {}
            }
        }.start()
    }

    /// Does the work that it has, and tells whether it has been given more.
    private func goesOn(as scheduled: ScheduledThread) -> Bool {
        guard let (work, scheduler) = state.withLock({ $0.task }) else { return false }
        scheduled.run(work)
        state.withLock { $0 = State() }
        guard let next = scheduler.workAfterEnd(of: self) else { return false }
        state.withLock { $0.task = (next, scheduler) }
        return true
    }

    // MARK: For the scheduler

    /// Gives a thread something to do, which it begins when it is woken.
    static func begin(_ work: @escaping @Sendable () -> Void, in scheduler: SeededScheduler) -> SeededThread {
        let thread = idle.withLock { $0.popLast() } ?? SeededThread()
        thread.state.withLock { $0.task = (work, scheduler) }
        return thread
    }

    /// Whether it may go on when it is its turn.
    var mayGoOn: Bool { state.withLock { $0.condition }() }
    /// It is its turn.
    func wake() { turn.signal() }
    /// Waits, on this thread, for its turn.
    func wait() { turn.wait() }
    /// It has nothing to do any more.
    func rest() { Self.idle.withLock { $0.append(self) } }
}

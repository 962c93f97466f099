/// Lets tasks run on threads that may block, so that an operation which may begin at once runs right there.
///
/// A task comes here by preferring this executor. `waiting` is guarded by its mutex, everything else is constant.
final class TaskThreads: TaskExecutor {
    /// For how long a task is left its thread while others wait for one.
    private static let patience = Duration.milliseconds(10)

    private let threads: any WorkThreads
    private let now: @Sendable () -> ContinuousClock.Instant
    /// How many jobs have no thread yet.
    private let waiting = Guarded(0)

    init(_ threads: any WorkThreads, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.threads = threads
        self.now = now
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        waiting.withLock { $0 += 1 }
        threads.run { [self] in
            waiting.withLock { $0 -= 1 }
            let thread = TaskThread(of: self, since: now())
            TaskThread.current = thread
            defer { TaskThread.current = nil }
            withExtendedLifetime(thread) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Lets every thread go once it has nothing to do; a task that comes later still gets one.
    func close() { threads.close() }

    /// Whether the calling task may block its thread, and be left it for now.
    ///
    /// What an actor asks for runs elsewhere, so that the actor is free meanwhile. A task that has had its thread for long goes to the end of
    /// the line, if there is one: one that reads in a loop would never suspend.
    static func mayBlock(in isolation: (any Actor)?) -> Bool {
        guard isolation == nil, let thread = TaskThread.current else { return false }
        return thread.threads.mayStay(thread)
    }

    private func mayStay(_ thread: TaskThread) -> Bool {
        waiting.withLock { $0 } == 0 || thread.began.duration(to: now()) < Self.patience
    }

    /// A thread that runs a task's job.
    private final class TaskThread {
        let threads: TaskThreads
        let began: ContinuousClock.Instant
        private static let thread = ThreadSpecific<TaskThread>()

        init(of threads: TaskThreads, since began: ContinuousClock.Instant) {
            self.threads = threads
            self.began = began
        }

        static var current: TaskThread? {
            get { thread.current }
            set { thread.current = newValue }
        }
    }
}

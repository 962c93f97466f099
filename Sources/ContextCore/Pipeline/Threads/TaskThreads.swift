/// A task executor whose threads may block, so that an operation that can start at once runs on the task's own thread.
///
/// Tasks use it by executor preference. `waiting` is guarded by its mutex, everything else is constant.
final class TaskThreads: TaskExecutor {
    /// How long a task may use its thread while other tasks wait for one.
    private static let timeSlice = Duration.milliseconds(10)

    private let threads: any BlockingThreadPool
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The number of jobs without a thread.
    private let waiting = Guarded(0)

    init(_ threads: any BlockingThreadPool, now: @escaping @Sendable () -> ContinuousClock.Instant) {
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

    /// Ends each thread once it is idle; later tasks still get a thread.
    func close() { threads.close() }

    /// Whether the calling task may block its thread, and use it for the next operation.
    ///
    /// Operations of an actor run on another thread, so that the actor isn't blocked. A task that has used its thread for 10 milliseconds
    /// goes to the end of the queue if other tasks wait; otherwise a task that reads in a loop would never suspend.
    static func mayBlock(in isolation: (any Actor)?) -> Bool {
        guard isolation == nil, let thread = TaskThread.current else { return false }
        return thread.threads.mayKeepThread(thread)
    }

    private func mayKeepThread(_ thread: TaskThread) -> Bool {
        waiting.withLock { $0 } == 0 || thread.began.duration(to: now()) < Self.timeSlice
    }

    /// A thread that runs a job of a task.
    private final class TaskThread {
        let threads: TaskThreads
        let began: ContinuousClock.Instant
        private static let thread = ThreadLocal<TaskThread>()

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

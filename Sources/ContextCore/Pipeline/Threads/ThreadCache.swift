import Dispatch
import Foundation

/// A thread pool whose threads may block.
///
/// Swift's cooperative pool has only as many threads as the machine has cores; two blocked ones can stop every task of a program.
///
/// A thread is created when work arrives and no thread is idle or about to be free, up to a limit; further work waits. A thread that
/// has been idle for 5 seconds ends. `state` is guarded by its mutex, everything else is constant.
final class ThreadCache: BlockingThreadPool {
    typealias Work = @Sendable () -> Void

    /// How long an idle thread waits for work before it ends.
    private static let idleTimeout = DispatchTimeInterval.seconds(5)

    private struct State {
        var waiting = FIFOQueue<Work>()
        var idle: [CachedThread] = []
        var count = 0
        /// The number of threads about to be free.
        var soonFreeCount = 0
        var isClosed = false
        var whenEmpty: [Work] = []

        /// Removes a thread, and returns the closures that it must call if it was the last one.
        mutating func removeThread() -> [Work] {
            count -= 1
            guard count == 0 else { return [] }
            defer { whenEmpty = [] }
            return whenEmpty
        }
    }

    private let name: String
    private let limit: Int
    private let state = Guarded(State())

    init(name: String, limit: Int) {
        self.name = name
        self.limit = limit
    }

    var count: Int { state.withLock { $0.count } }

    func run(_ work: @escaping Work) {
        enum Step {
            case wake(CachedThread), make, nothing
        }
        let step = state.withLock { state -> Step in
            if state.soonFreeCount > state.waiting.count {
                state.waiting.append(work)
                return .nothing
            }
            if let cachedThread = state.idle.popLast() { return .wake(cachedThread) }
            if state.count < limit {
                state.count += 1
                return .make
            }
            state.waiting.append(work)
            return .nothing
        }
        switch step {
        case .wake(let cachedThread): cachedThread.wake(with: work)
        case .make: makeThread(work)
        case .nothing: break
        }
    }

    func willBeFree() {
        guard let thread = CachedThread.current, thread.cache === self, !thread.isAboutToBeFree
        else { return }
        thread.isAboutToBeFree = true
        state.withLock { $0.soonFreeCount += 1 }
    }

    /// Withdraws the announcement of the calling thread that it is about to be free, because it is about to block.
    ///
    /// A task's next executor may run its job inside `enqueue`, on the thread that was about to be free, and the work that the job waits
    /// for may be queued for this thread.
    static func willBlock() {
        guard let thread = CachedThread.current, thread.isAboutToBeFree else { return }
        thread.cache.withdrawAnnouncement(thread)
    }

    /// Starts another thread for the work that was queued for this one.
    private func withdrawAnnouncement(_ thread: CachedThread) {
        thread.isAboutToBeFree = false
        let work = state.withLock { state -> Work? in
            state.soonFreeCount -= 1
            let hasThread = state.waiting.count <= state.soonFreeCount
            let canStart = !state.idle.isEmpty || state.count < limit
            return hasThread || !canStart ? nil : state.waiting.popFirst()
        }
        if let work { run(work) }
    }

    /// Ends each thread once it is idle; the last one calls `whenEmpty`.
    func close(whenEmpty: @escaping Work) {
        let (idle, isEmpty) = state.withLock { state in
            state.isClosed = true
            let idle = state.idle
            state.idle = []
            state.count -= idle.count
            if state.count > 0 { state.whenEmpty.append(whenEmpty) }
            return (idle, state.count == 0)
        }
        for cachedThread in idle { cachedThread.wake(with: nil) }
        if isEmpty { whenEmpty() }
    }

    /// Creates a thread, which releases each closure as soon as it has run, so that the objects that it captures aren't kept alive.
    private func makeThread(_ work: @escaping Work) {
        let cachedThread = CachedThread(of: self)
        let thread = Thread { [self] in
            // Foundation can name a thread only after start() has returned, and the work arrives after that.
            cachedThread.wait()
            Thread.current.name = name
            CachedThread.current = cachedThread
            defer { CachedThread.current = nil }
            var next = cachedThread.dequeueWork()
            while next != nil {
                #if canImport(Darwin)
                // Objects that the work autoreleases would otherwise live as long as the thread.
                _ = autoreleasepool { next.take()?() }
                #else
                next.take()?()
                #endif
                next = self.next(for: cachedThread)
            }
        }
        thread.enlargeStack()
        thread.start()
        cachedThread.wake(with: work)
    }

    /// Returns the next work of a thread; nil if the thread must end.
    private func next(for cachedThread: CachedThread) -> Work? {
        enum Step {
            case work(Work), park, exit([Work])
        }
        let step = state.withLock { state -> Step in
            if cachedThread.isAboutToBeFree { state.soonFreeCount -= 1 }
            cachedThread.isAboutToBeFree = false
            if let work = state.waiting.popFirst() { return .work(work) }
            if !state.isClosed {
                state.idle.append(cachedThread)
                return .park
            }
            return .exit(state.removeThread())
        }
        switch step {
        case .work(let work): return work
        case .park: return park(cachedThread)
        case .exit(let last):
            // The thread no longer belongs to the cache, so it must not announce that it is about to be free.
            CachedThread.current = nil
            for work in last { work() }
            return nil
        }
    }

    private func park(_ cachedThread: CachedThread) -> Work? {
        if cachedThread.wait(Self.idleTimeout) { return cachedThread.dequeueWork() }
        let isGone = state.withLock { state -> Bool in
            guard let index = state.idle.firstIndex(where: { $0 === cachedThread }) else { return false }
            state.idle.remove(at: index)
            state.count -= 1
            return true
        }
        if isGone { return nil }
        // `run` or `close` has just removed this thread from the idle ones, so it is about to be woken.
        cachedThread.wait()
        return cachedThread.dequeueWork()
    }
}

/// A thread of a cache, which waits while it has no work.
private final class CachedThread: Sendable {
    /// The cache of the thread, which the running thread retains.
    unowned let cache: ThreadCache
    /// Whether the thread has announced that it is about to be free.
    // nonisolated(unsafe): accessed only on the thread itself.
    nonisolated(unsafe) var isAboutToBeFree = false
    private let signal = ThreadSignal()
    private let work = Guarded<ThreadCache.Work?>(nil)
    private static let thread = ThreadLocal<CachedThread>()

    init(of cache: ThreadCache) { self.cache = cache }

    /// The calling thread, if it belongs to a cache.
    static var current: CachedThread? {
        get { thread.current }
        set { thread.current = newValue }
    }

    func wake(with work: ThreadCache.Work?) {
        self.work.withLock { $0 = work }
        signal.signal()
    }

    /// Waits for work up to a timeout; returns false if none came.
    func wait(_ time: DispatchTimeInterval) -> Bool { signal.wait(time) }
    func wait() { signal.wait() }

    func dequeueWork() -> ThreadCache.Work? {
        work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}

extension ThreadCache {
    /// Runs blocking work on a thread of the cache, and suspends the task until it is done.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            run { continuation.resume(with: Result { try work() }) }
        }
    }
}

import Dispatch
import Foundation

/// Threads of our own, on which work may block: Swift's cooperative pool has only as many threads as there are cores, and two
/// blocked ones can stop every task of a program.
///
/// A thread is made when work comes and none is idle or about to be free, up to a limit; work beyond that waits its turn. A thread that
/// has been idle for a while goes away. `state` is guarded by its mutex, everything else is constant.
final class ThreadCache: WorkThreads {
    typealias Work = @Sendable () -> Void

    /// How long a thread without work stays.
    private static let patience = DispatchTimeInterval.seconds(5)

    private struct State {
        var waiting = FIFOQueue<Work>()
        var idle: [ParkedThread] = []
        var count = 0
        /// How many threads are about to look for work.
        var ending = 0
        var isClosed = false
        var whenEmpty: [Work] = []

        /// One thread leaves; returns what the last one still has to do.
        mutating func leave() -> [Work] {
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
            case wake(ParkedThread), make, nothing
        }
        let step = state.withLock { state -> Step in
            if state.ending > state.waiting.count {
                state.waiting.append(work)
                return .nothing
            }
            if let parked = state.idle.popLast() { return .wake(parked) }
            if state.count < limit {
                state.count += 1
                return .make
            }
            state.waiting.append(work)
            return .nothing
        }
        switch step {
        case .wake(let parked): parked.wake(with: work)
        case .make: makeThread(work)
        case .nothing: break
        }
    }

    func willBeFree() {
        guard let thread = ParkedThread.current, thread.cache === self, !thread.isEnding
        else { return }
        thread.isEnding = true
        state.withLock { $0.ending += 1 }
    }

    /// The calling thread is about to block: where it has said that it is about to be free, it takes that back.
    ///
    /// A task's next executor may run its job inside of `enqueue`, on the thread that was to be free: what the job
    /// waits for may be waiting for this very thread.
    static func willBlock() {
        guard let thread = ParkedThread.current, thread.isEnding else { return }
        thread.cache.takeBack(thread)
    }

    /// Lends another thread to the work that waits for one that isn't about to be free after all.
    private func takeBack(_ thread: ParkedThread) {
        thread.isEnding = false
        let work = state.withLock { state -> Work? in
            state.ending -= 1
            let hasThread = state.waiting.count <= state.ending
            let mayBegin = !state.idle.isEmpty || state.count < limit
            return hasThread || !mayBegin ? nil : state.waiting.popFirst()
        }
        if let work { run(work) }
    }

    /// The last piece of work runs on the last thread.
    func close(whenEmpty: @escaping Work) {
        let (idle, isEmpty) = state.withLock { state in
            state.isClosed = true
            let idle = state.idle
            state.idle = []
            state.count -= idle.count
            if state.count > 0 { state.whenEmpty.append(whenEmpty) }
            return (idle, state.count == 0)
        }
        for parked in idle { parked.wake(with: nil) }
        if isEmpty { whenEmpty() }
    }

    /// Makes a thread, which keeps a piece of work no longer than it takes: what that holds may be waiting to go away.
    private func makeThread(_ work: @escaping Work) {
        let parked = ParkedThread(of: self)
        Thread { [self] in
            // Foundation can name a thread only once start() has returned, which is when the work comes.
            parked.wait()
            Thread.current.name = name
            ParkedThread.current = parked
            defer { ParkedThread.current = nil }
            var next = parked.take()
            while next != nil {
                next.take()?()
                next = self.next(for: parked)
            }
        }.start()
        parked.wake(with: work)
    }

    /// What a thread does next; nil when it may go.
    private func next(for parked: ParkedThread) -> Work? {
        enum Step {
            case work(Work), park, leave([Work])
        }
        let step = state.withLock { state -> Step in
            if parked.isEnding { state.ending -= 1 }
            parked.isEnding = false
            if let work = state.waiting.popFirst() { return .work(work) }
            if !state.isClosed {
                state.idle.append(parked)
                return .park
            }
            return .leave(state.leave())
        }
        switch step {
        case .work(let work): return work
        case .park: return park(parked)
        case .leave(let last):
            // It is none of the cache's any more, and can't be waited for.
            ParkedThread.current = nil
            for work in last { work() }
            return nil
        }
    }

    private func park(_ parked: ParkedThread) -> Work? {
        if parked.wait(Self.patience) { return parked.take() }
        let isGone = state.withLock { state -> Bool in
            guard let index = state.idle.firstIndex(where: { $0 === parked }) else { return false }
            state.idle.remove(at: index)
            state.count -= 1
            return true
        }
        if isGone { return nil }
        // Somebody has just taken this thread out of the idle ones, so its work is on its way.
        parked.wait()
        return parked.take()
    }
}

/// A thread that waits for work.
private final class ParkedThread: Sendable {
    /// Whose thread it is; the thread keeps the cache as long as it runs.
    unowned let cache: ThreadCache
    /// Whether it has said that it is about to be free.
    // nonisolated(unsafe): looked at and changed by the thread itself alone.
    nonisolated(unsafe) var isEnding = false
    private let signal = ThreadSignal()
    private let work = Guarded<ThreadCache.Work?>(nil)
    private static let thread = ThreadSpecific<ParkedThread>()

    init(of cache: ThreadCache) { self.cache = cache }

    /// The calling thread, if it is one of a cache's.
    static var current: ParkedThread? {
        get { thread.current }
        set { thread.current = newValue }
    }

    func wake(with work: ThreadCache.Work?) {
        self.work.withLock { $0 = work }
        signal.signal()
    }

    /// Waits, at most so long; false when nothing came.
    func wait(_ time: DispatchTimeInterval) -> Bool { signal.wait(time) }
    func wait() { signal.wait() }

    func take() -> ThreadCache.Work? {
        work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}

extension ThreadCache {
    /// Runs work that may block on a thread, and waits for it without blocking one.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            run { continuation.resume(with: Result { try work() }) }
        }
    }
}

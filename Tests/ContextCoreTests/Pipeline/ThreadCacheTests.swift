import ChildProcesses
import Dispatch
import Testing

@testable import ContextCore

/// Work gets a thread: one that is about to be free, or a new one.
@Suite(.timeLimit(.minutes(5)))
struct ThreadCacheTests {
    /// A piece of work that runs until a test releases it.
    private final class Held: Sendable {
        private let thread = Guarded<ThreadIdentity?>(nil)
        private let hasBegun = DispatchSemaphore(value: 0)
        private let mayEnd = DispatchSemaphore(value: 0)

        /// Runs on a thread of a cache.
        func work(_ begin: () -> Void = {}) {
            thread.withLock { $0 = .current }
            begin()
            hasBegun.signal()
            _ = mayEnd.wait(timeout: .now() + 60)
        }

        /// Waits until the work starts; returns false after a timeout.
        func waitForStart(within seconds: Double = 30) -> Bool {
            hasBegun.wait(timeout: .now() + seconds) == .success
        }

        func release() { mayEnd.signal() }
        var identity: ThreadIdentity? { thread.withLock { $0 } }
    }

    private let first = Held()
    private let second = Held()
    private let third = Held()

    /// Uses a cache on a thread that may block, and checks that all work has ended.
    private func with(limit: Int = 4, _ body: @escaping @Sendable (ThreadCache) -> Void) async throws {
        try await onThread {
            let cache = ThreadCache(name: "test", limit: limit)
            body(cache)
            for held in [first, second, third] { held.release() }
            let isEmpty = DispatchSemaphore(value: 0)
            cache.close { isEmpty.signal() }
            #expect(isEmpty.wait(timeout: .now() + 30) == .success)
        }
    }

    @Test func `One piece of work waits for a thread that is about to be free, the next one doesn't`()
        async throws
    {
        try await with { cache in
            cache.run { first.work { cache.willBeFree() } }
            #expect(first.waitForStart())
            cache.run { second.work() }
            #expect(!second.waitForStart(within: 0.1))
            cache.run { third.work() }
            #expect(third.waitForStart() && third.identity != first.identity)
            first.release()
            #expect(second.waitForStart() && second.identity == first.identity)
        }
    }

    @Test func `A thread is about to be free once, until it has looked for work`() async throws {
        try await with { cache in
            cache.run {
                first.work {
                    cache.willBeFree()
                    cache.willBeFree()
                }
            }
            #expect(first.waitForStart())
            first.release()
            cache.run { second.work() }
            #expect(second.waitForStart())
            cache.run { third.work() }
            #expect(third.waitForStart())
        }
    }

    @Test func `Threads of other caches don't count`() async throws {
        try await with { cache in
            let other = ThreadCache(name: "other", limit: 1)
            other.run { first.work { cache.willBeFree() } }
            #expect(first.waitForStart())
            cache.willBeFree()
            cache.run { second.work() }
            #expect(second.waitForStart())
            other.close()
        }
    }

    @Test func `At the thread limit, work waits in its order`() async throws {
        try await with(limit: 1) { cache in
            cache.run { first.work { cache.willBeFree() } }
            #expect(first.waitForStart())
            cache.run { second.work() }
            cache.run { third.work() }
            #expect(!second.waitForStart(within: 0.1))
            first.release()
            #expect(second.waitForStart() && !third.waitForStart(within: 0.1))
            second.release()
            #expect(third.waitForStart())
        }
    }

    @Test func `Waiting work is done although the cache closes`() async throws {
        try await with { cache in
            cache.run { first.work { cache.willBeFree() } }
            #expect(first.waitForStart())
            cache.run { second.work() }
            cache.close()
            first.release()
            #expect(second.waitForStart())
        }
    }

    @Test func `A thread that blocks after announcing its end leaves its work to another`() async throws {
        try await with(limit: 2) { cache in
            let isDone = ThreadSignal()
            cache.run {
                first.work {
                    cache.willBeFree()
                    // The work that is submitted here waits for this thread, which waits for the work.
                    cache.run {
                        second.work()
                        isDone.signal()
                    }
                    isDone.wait()
                }
            }
            let hasBegun = second.waitForStart(within: 10)
            #expect(hasBegun && second.identity != first.identity)
            // Release the thread in any case.
            if !hasBegun { isDone.signal() }
            second.release()
            #expect(first.waitForStart())
        }
    }

    @Test func `All work is done, whichever threads are about to be free`() async throws {
        let done = DispatchSemaphore(value: 0)
        try await with { cache in
            let count = 2000
            for number in 0..<count {
                cache.run {
                    if number % 3 == 0 { cache.willBeFree() }
                    if number % 5 == 0 { cache.run { done.signal() } }
                    done.signal()
                    if number % 7 == 0 { cache.willBeFree() }
                }
            }
            let areDone = (0..<count + count / 5).allSatisfy { _ in
                done.wait(timeout: .now() + 30) == .success
            }
            #expect(areDone)
        }
    }
}

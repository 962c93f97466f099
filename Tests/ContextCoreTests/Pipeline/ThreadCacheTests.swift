import ChildProcesses
import Dispatch
import Testing

@testable import ContextCore

/// Work finds a thread: one that is about to be free, or another.
@Suite(.timeLimit(.minutes(1)))
struct ThreadCacheTests {
    private let cache = ThreadCache(name: "test", limit: 4)

    /// A piece of work that is held until a test lets it go on.
    private final class Held: Sendable {
        let thread = Guarded<ThreadIdentity?>(nil)
        private let hasBegun = DispatchSemaphore(value: 0)
        private let mayEnd = DispatchSemaphore(value: 0)

        /// Runs on a thread of a cache.
        func work(_ begin: () -> Void = {}) {
            thread.withLock { $0 = .current }
            begin()
            hasBegun.signal()
            mayEnd.wait()
        }

        func waitUntilBegun() { hasBegun.wait() }
        /// Whether it begins soon.
        func begins() -> Bool { hasBegun.wait(timeout: .now() + .milliseconds(100)) == .success }
        func letGo() { mayEnd.signal() }
        var identity: ThreadIdentity? { thread.withLock { $0 } }
    }

    @Test func `What comes when a thread is about to be free waits for that one, and what comes next does not`()
        async throws
    {
        try await onThread {
            let (first, second, third) = (Held(), Held(), Held())
            cache.run { first.work { cache.willBeFree() } }
            first.waitUntilBegun()
            cache.run { second.work() }
            #expect(!second.begins())
            cache.run { third.work() }
            third.waitUntilBegun()
            #expect(third.identity != first.identity)
            first.letGo()
            second.waitUntilBegun()
            #expect(second.identity == first.identity)
            second.letGo()
            third.letGo()
        }
    }

    @Test func `A thread is about to be free once, however often it says so, and until it has looked for work`()
        async throws
    {
        try await onThread {
            let (first, second, third) = (Held(), Held(), Held())
            cache.run {
                first.work {
                    cache.willBeFree()
                    cache.willBeFree()
                }
            }
            first.waitUntilBegun()
            first.letGo()
            cache.run { second.work() }
            second.waitUntilBegun()
            cache.run { third.work() }
            third.waitUntilBegun()
            second.letGo()
            third.letGo()
        }
    }

    @Test func `Threads of others, and those of another cache, say nothing`() async throws {
        try await onThread {
            let other = ThreadCache(name: "other", limit: 1)
            let (first, second) = (Held(), Held())
            other.run { first.work { cache.willBeFree() } }
            first.waitUntilBegun()
            cache.willBeFree()
            cache.run { second.work() }
            second.waitUntilBegun()
            first.letGo()
            second.letGo()
            other.close()
        }
    }

    @Test func `All work is done, whoever is about to be free`() async throws {
        try await onThread {
            let done = DispatchSemaphore(value: 0)
            let count = 2000
            for number in 0..<count {
                cache.run {
                    if number % 3 == 0 { cache.willBeFree() }
                    if number % 5 == 0 { cache.run { done.signal() } }
                    done.signal()
                    if number % 7 == 0 { cache.willBeFree() }
                }
            }
            for _ in 0..<count + count / 5 { done.wait() }
            cache.close()
        }
    }
}

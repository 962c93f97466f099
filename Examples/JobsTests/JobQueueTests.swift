import ContextCore
import Foundation
import SQLiteBackend
import Synchronization
import Testing

@testable import Jobs

/// Workers of one process, on a store in memory and on SQLite.
struct JobQueueTests {
    private static let urls = ["memory:", "sqlite::memory:"]

    private func queue(_ url: String, lease: TimeInterval = 60) async throws -> JobQueue {
        let store = try await Store.open(url, backends: [.sqlite], model: [Job.self])
        return JobQueue(store: store, attemptLimit: 3, lease: lease, retryDelay: 0.001)
    }

    @Test(arguments: urls)
    func `Workers do each job once, repeat those that fail, and give up at the limit`(_ url: String)
        async throws
    {
        let queue = try await queue(url)
        try await queue.enqueue("mail", (1...20).map(String.init) + ["flaky", "broken"])
        let done = Recorder()
        await withTaskGroup { group in
            for number in 1...4 {
                let worker = Worker(name: "\(number)", queue: queue, pollInterval: .milliseconds(1)) { job in
                    if job.payload == "broken" || job.payload == "flaky" && job.attempt == 1 {
                        throw MailError(description: "Not now.")
                    }
                    done.append(job.payload)
                }
                group.addTask { await worker.run(drains: true) }
            }
        }
        #expect(done.payloads.sorted() == ((1...20).map(String.init) + ["flaky"]).sorted())
        #expect(try await queue.count(.done) == 21)
        #expect(try await queue.deadJobs() == ["mail broken: Not now."])
        #expect(try await queue.revive() == 1)
        #expect(try await queue.count(.open) == 1)
        await queue.store.close()
    }

    @Test(arguments: urls)
    func `A worker that is stopped finishes its job and takes no other`(_ url: String) async throws {
        let queue = try await queue(url)
        try await queue.enqueue("mail", ["1", "2"])
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let worker = Worker(name: "a", queue: queue) { _ in
            start.yield()
            for await _ in ends { break }
        }
        let task = Task { await worker.run() }
        for await _ in starts { break }
        task.cancel()
        end.yield()
        await task.value
        #expect(try await queue.count(.done) == 1)
        #expect(try await queue.count(.open) == 1)
        await queue.store.close()
    }

    @Test(arguments: urls)
    func `A job whose lease has expired is taken again, and its first worker can't finish it`(_ url: String)
        async throws
    {
        let queue = try await queue(url, lease: -1)
        try await queue.enqueue("mail", ["1"])
        let first = try #require(try await queue.take(by: "a"))
        let second = try #require(try await queue.take(by: "b"))
        #expect(first.attempt == 1 && second.attempt == 2)
        try await queue.finish(first)
        #expect(try await queue.count(.done) == 0)
        try await queue.finish(second)
        #expect(try await queue.count(.done) == 1)
        await queue.store.close()
    }

    @Test(arguments: urls)
    func `A job that ends all its workers is dead`(_ url: String) async throws {
        let queue = try await queue(url, lease: -1)
        try await queue.enqueue("mail", ["1"])
        for _ in 1...3 { #expect(try await queue.take(by: "a") != nil) }
        #expect(try await queue.take(by: "a") == nil)
        #expect(try await queue.deadJobs() == ["mail 1: The lease of the last attempt has expired."])
        await queue.store.close()
    }
}

/// The payloads of the jobs that workers have done; a mutex guards them.
private final class Recorder: Sendable {
    private let list = Mutex<[String]>([])

    var payloads: [String] { list.withLock { $0 } }

    func append(_ payload: String) { list.withLock { $0.append(payload) } }
}

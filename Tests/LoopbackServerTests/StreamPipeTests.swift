import Foundation
import Synchronization
import Testing

@testable import LoopbackServer

struct StreamPipeTests {
    private struct Odd: Error {}

    /// Runs a closure on a new thread; returns what waits for its end.
    private func onThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }.start()
        return done
    }

    @Test func `Parts arrive in their order`() throws {
        let pipe = StreamPipe()
        let count = 100
        let done = onThread {
            for number in 0..<count { try? pipe.write([UInt8(number)]) }
            pipe.finish()
        }
        var parts: [[UInt8]] = []
        while let part = try pipe.next() { parts.append(part) }
        done.wait()
        #expect(parts == (0..<count).map { [UInt8($0)] })
    }

    @Test func `A writer waits for the reader`() throws {
        let pipe = StreamPipe()
        let written = Mutex(0)
        let done = onThread {
            for _ in 0..<3 {
                try? pipe.write([1])
                written.withLock { $0 += 1 }
            }
        }
        try pipe.waitForStart()
        #expect(done.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
        #expect(written.withLock { $0 } == 1)
        for _ in 0..<3 { #expect(try pipe.next() == [1]) }
        done.wait()
    }

    @Test func `A writer gets an error when the client is gone`() throws {
        let pipe = StreamPipe()
        let failed = Mutex(false)
        let done = onThread {
            do {
                while true { try pipe.write([1]) }
            } catch {
                failed.withLock { $0 = true }
            }
        }
        #expect(try pipe.next() == [1])
        #expect(!pipe.isCancelled)
        pipe.cancel()
        #expect(pipe.isCancelled)
        done.wait()
        #expect(failed.withLock { $0 })
        #expect(throws: StreamPipe.Cancelled.self) { try pipe.write([2]) }
    }

    @Test func `An error before the first part is thrown to the starter, a later one to the reader`() throws {
        let empty = StreamPipe()
        empty.finish(Odd())
        #expect(throws: Odd.self) { try empty.waitForStart() }
        let broken = StreamPipe()
        try broken.write([1])
        let done = onThread { broken.finish(Odd()) }
        try broken.waitForStart()
        #expect(try broken.next() == [1])
        done.wait()
        #expect(throws: Odd.self) { _ = try broken.next() }
    }

    @Test func `A stream without parts is empty`() throws {
        let pipe = StreamPipe()
        pipe.finish()
        try pipe.waitForStart()
        #expect(try pipe.next() == nil)
    }

    @Test func `A silent writer doesn't stop the heartbeat`() throws {
        let pipe = StreamPipe(heartbeat: (0, [9]))
        #expect(try pipe.next() == [9])
        #expect(try pipe.next() == [9])
        try pipe.write([1])
        #expect(try pipe.next() == [1])
        #expect(try pipe.next() == [9])
    }

    @Test func `A stream that is cancelled doesn't end like a complete one`() throws {
        let pipe = StreamPipe()
        let error = Mutex<(any Error)?>(nil)
        let done = onThread {
            do {
                _ = try pipe.next()
            } catch let thrown {
                error.withLock { $0 = thrown }
            }
        }
        pipe.cancel()
        done.wait()
        #expect(error.withLock { $0 } is StreamPipe.Cancelled)
        #expect(throws: StreamPipe.Cancelled.self) { _ = try pipe.next() }
    }
}

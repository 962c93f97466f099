import Dispatch
import Synchronization

/// A stream whose parts another thread writes, which waits while the client hasn't received the part before: the memory is bounded.
///
/// State: `state`, guarded by its mutex. The semaphores count what is free and what is filled, one part each.
package final class StreamPipe: ResponseStream {
    /// The error of a write or a read after ``cancel()``.
    package struct Cancelled: Error, Sendable {}

    private enum End {
        case complete
        case failure(any Error)
    }

    private struct State {
        var part: [UInt8]?
        var end: End?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    /// What ``next()`` returns if no part is written for a while; nil to wait on.
    private let heartbeat: (seconds: Int, part: [UInt8])?

    /// - Parameter heartbeat: A part to send whenever the writer has written nothing for a time, which shows whether the client is still there.
    package init(heartbeat: (seconds: Int, part: [UInt8])? = nil) {
        self.heartbeat = heartbeat
        free.signal()
    }

    /// Writes a part, after the client has taken the part before.
    package func write(_ part: [UInt8]) throws(Cancelled) {
        if part.isEmpty { return }
        free.wait()
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.part = part }
            return state.isCancelled
        }
        if isCancelled {
            free.signal()
            throw Cancelled()
        }
        filled.signal()
    }

    /// Ends the stream: completely, or with an error that breaks the connection.
    package func finish(_ error: (any Error)? = nil) {
        state.withLock { $0.end = error.map(End.failure) ?? .complete }
        filled.signal()
    }

    /// Waits for the first part or the end; throws the error if the stream ends with one before any part.
    package func waitForStart() throws {
        filled.wait()
        filled.signal()
        if let error = state.withLock({ $0.part == nil ? Self.failure($0.end) : nil }) { throw error }
    }

    /// Whether the stream was cancelled, so that nothing more needs to be written.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// - Throws: The error of ``finish(_:)``, or ``Cancelled``.
    package func next() throws -> [UInt8]? {
        if let heartbeat, filled.wait(timeout: .now() + .seconds(heartbeat.seconds)) == .timedOut {
            return heartbeat.part
        }
        if heartbeat == nil { filled.wait() }
        let (part, end, isCancelled) = state.withLock { state in
            defer { state.part = nil }
            return (state.part, state.end, state.isCancelled)
        }
        // The end of the body would mean to a client that it has received all of it.
        if isCancelled {
            // So that another call doesn't wait either.
            filled.signal()
            throw Cancelled()
        }
        if let part {
            free.signal()
            return part
        }
        if let error = Self.failure(end) { throw error }
        return nil
    }

    package func cancel() {
        state.withLock { $0.isCancelled = true }
        // Wakes a writer and a reader; the stream is of no use afterwards, so more signals do no harm.
        free.signal()
        filled.signal()
    }

    private static func failure(_ end: End?) -> (any Error)? {
        if case .failure(let error)? = end { error } else { nil }
    }
}

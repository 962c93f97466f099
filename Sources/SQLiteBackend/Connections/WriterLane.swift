#if SQLite
import ContextCore
import Foundation

/// Lets one session write at a time, in first-come order.
///
/// `condition` guards the state: the waiting sessions, the name of the writing session, the idle connection, the statistics, and whether the
/// store is closed.
// @unchecked: see above.
final class WriterLane: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [Int] = []
    private var lastTicket = 0
    private var holder: String?
    private var connection: SQLiteConnection?
    private var statements = DatabaseStatistics.Cache()
    private var isClosed = false
    private let configuration: SQLiteConfiguration
    private let file: StoreFile

    init(_ configuration: SQLiteConfiguration, _ file: StoreFile, writer: SQLiteConnection?) {
        self.configuration = configuration
        self.file = file
        connection = writer
    }

    /// Waits until the session may write, and returns the connection; the wait counts toward the transaction's busy timeout.
    ///
    /// - Parameters:
    ///   - name: The name of the session.
    ///   - isCancellable: Whether the wait ends if the session's task is cancelled.
    /// - Throws: ``StoreError/Code/busy`` with the name of the writing session when the wait times out; ``StoreError/Code/cancelled``.
    func acquireConnection(_ name: String, isCancellable: Bool) throws(StoreError) -> SQLiteConnection {
        let start = ContinuousClock.now
        let idleConnection: SQLiteConnection? = try waitForTurn(name, isCancellable)
        if let idleConnection {
            idleConnection.busy.start = start
            return idleConnection
        }
        do throws(StoreError) {
            let connection = try SQLiteConnection.open(.readAndWrite, file, configuration)
            connection.busy.start = start
            return connection
        } catch {
            releaseConnection(nil)
            throw error
        }
    }

    private func waitForTurn(_ name: String, _ isCancellable: Bool) throws(StoreError) -> SQLiteConnection? {
        condition.lock()
        defer { condition.unlock() }
        if !isClosed, holder == nil, waiting.isEmpty { return startTurn(of: name) }
        let deadline = Date(timeIntervalSinceNow: configuration.busyTimeout / .seconds(1))
        lastTicket += 1
        let ticket = lastTicket
        waiting.append(ticket)
        while !isClosed, holder != nil || waiting.first != ticket {
            if isCancellable, Task.isCancelled { throw stopWaiting(ticket, cancellationError(name)) }
            if Date() >= deadline { throw stopWaiting(ticket, timeoutError(name)) }
            let end =
                isCancellable
                ? min(deadline, Date(timeIntervalSinceNow: Self.cancellationInterval)) : deadline
            _ = condition.wait(until: end)
        }
        waiting.removeAll { $0 == ticket }
        if isClosed { throw StoreError(.closed, "The store is closed.", remedy: "Open it again.") }
        return startTurn(of: name)
    }

    /// The interval in seconds at which a cancellable wait checks whether its task was cancelled.
    private static let cancellationInterval = 0.05

    /// Removes a session from the queue, and returns the error of its wait.
    private func stopWaiting(_ ticket: Int, _ error: StoreError) -> StoreError {
        waiting.removeAll { $0 == ticket }
        condition.broadcast()
        return error
    }

    private func cancellationError(_ name: String) -> StoreError {
        StoreError(
            .cancelled, "The write “\(name)” was cancelled before it started.",
            remedy: "Nothing of it was saved. Run it again if it is still needed.")
    }

    private func timeoutError(_ name: String) -> StoreError {
        StoreError(
            .busy,
            "The write “\(name)” timed out, because “\(holder ?? "another session")” was still writing.",
            remedy: "Keep write blocks short, or set a longer busy_timeout in the store's URL.")
    }

    /// Makes a session the one that writes, and returns the idle connection if there is one.
    private func startTurn(of name: String) -> SQLiteConnection? {
        holder = name
        return connection.take()
    }

    /// Returns the connection and admits the next session, which opens a new connection if there is none.
    func releaseConnection(_ connection: SQLiteConnection?) {
        if let connection {
            Checkpointing(connection: connection, file: file, configuration: configuration).runIfDue()
        }
        let counts = connection?.removeCacheCounts()
        condition.lock()
        holder = nil
        if let counts { statements += counts }
        let isRetained = !isClosed && connection?.isInTransaction == false
        let isLast = isClosed
        self.connection = isRetained ? connection : nil
        condition.broadcast()
        condition.unlock()
        guard !isRetained, let connection else { return }
        if isLast { checkpointLast(connection) }
        connection.close()
    }

    func close() {
        condition.lock()
        isClosed = true
        let idle = connection
        connection = nil
        condition.broadcast()
        condition.unlock()
        guard let idle else { return }
        checkpointLast(idle)
        idle.close()
    }

    /// The number of connections that sessions use, of idle ones, of sessions that wait, and of lookups of prepared statements.
    var statistics: (inUse: Int, idle: Int, waiting: Int, statements: DatabaseStatistics.Cache) {
        condition.lock()
        defer { condition.unlock() }
        return (holder == nil ? 0 : 1, connection == nil ? 0 : 1, waiting.count, statements)
    }

    private func checkpointLast(_ connection: SQLiteConnection) {
        StoreClosing(connection: connection, file: file, configuration: configuration)
            .checkpointAndRemoveLog()
    }
}
#endif

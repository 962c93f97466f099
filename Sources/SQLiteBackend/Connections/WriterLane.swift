#if SQLite
import ContextCore
import Foundation

/// Lets one session write at a time, in first-come order.
///
/// `condition` guards the state: the waiting sessions, the name of the writing session, the idle connection, and whether the store is
/// closed.
// @unchecked: see above.
final class WriterLane: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [Int] = []
    private var lastTicket = 0
    private var holder: String?
    private var connection: SQLiteConnection?
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
    /// - Throws: ``StoreError/Code/busy`` with the name of the writing session when the wait times out.
    func acquireConnection(_ name: String) throws(StoreError) -> SQLiteConnection {
        let start = ContinuousClock.now
        let idleConnection: SQLiteConnection? = try waitForTurn(name)
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

    private func waitForTurn(_ name: String) throws(StoreError) -> SQLiteConnection? {
        condition.lock()
        defer { condition.unlock() }
        if !isClosed, holder == nil, waiting.isEmpty { return takeConnection(for: name) }
        let deadline = Date(timeIntervalSinceNow: configuration.busyTimeout / .seconds(1))
        lastTicket += 1
        let ticket = lastTicket
        waiting.append(ticket)
        while !isClosed, holder != nil || waiting.first != ticket {
            if !condition.wait(until: deadline), Date() >= deadline, holder != nil || waiting.first != ticket
            {
                waiting.removeAll { $0 == ticket }
                condition.broadcast()
                throw StoreError(
                    .busy,
                    "“\(name)” timed out waiting for “\(holder ?? "another session")” to finish writing.",
                    remedy: "Keep write blocks short, or set a longer busy_timeout in the store's URL.")
            }
        }
        waiting.removeAll { $0 == ticket }
        if isClosed { throw StoreError(.closed, "The store is closed.", remedy: "Open it again.") }
        return takeConnection(for: name)
    }

    private func takeConnection(for name: String) -> SQLiteConnection? {
        holder = name
        return connection.take()
    }

    /// Returns the connection and admits the next session, which opens a new connection if there is none.
    func releaseConnection(_ connection: SQLiteConnection?) {
        if let connection {
            Checkpointing(connection: connection, file: file, configuration: configuration).runIfDue()
        }
        condition.lock()
        holder = nil
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

    private func checkpointLast(_ connection: SQLiteConnection) {
        StoreClosing(connection: connection, file: file, configuration: configuration)
            .checkpointAndRemoveLog()
    }
}
#endif

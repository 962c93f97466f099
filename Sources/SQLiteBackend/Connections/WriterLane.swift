#if SQLite
import ContextCore
import Foundation

/// Lets one session write at a time, in the order in which they asked.
///
/// State, all guarded by `condition`: the sessions that wait, the name of the one that writes, the connection while nobody has it,
/// and whether the store is closed.
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

    /// Waits for its turn, and takes the connection; what was waited is part of what its transaction may wait.
    ///
    /// - Throws: ``StoreError/Code/busy``, naming the session that writes, when the time is up.
    func enter(_ name: String) throws(StoreError) -> SQLiteConnection {
        let start = ContinuousClock.now
        let held: SQLiteConnection? = try turn(name)
        if let held {
            held.busy.start = start
            return held
        }
        do throws(StoreError) {
            let connection = try SQLiteConnection.open(.readAndWrite, file, configuration)
            connection.busy.start = start
            return connection
        } catch {
            leave(nil)
            throw error
        }
    }

    private func turn(_ name: String) throws(StoreError) -> SQLiteConnection? {
        condition.lock()
        defer { condition.unlock() }
        if !isClosed, holder == nil, waiting.isEmpty { return take(for: name) }
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
                    "“\(holder ?? "another session")” has been writing for too long; “\(name)” waited for it.",
                    remedy: "Keep write blocks short, or give a longer busy_timeout in the store's URL.")
            }
        }
        waiting.removeAll { $0 == ticket }
        if isClosed { throw StoreError(.closed, "The store is closed.", remedy: "Open it again.") }
        return take(for: name)
    }

    private func take(for name: String) -> SQLiteConnection? {
        holder = name
        return connection.take()
    }

    /// Gives the connection back and lets the next session in; without one, that session opens another.
    func leave(_ connection: SQLiteConnection?) {
        if let connection {
            Checkpointing(connection: connection, file: file, configuration: configuration).runIfDue()
        }
        condition.lock()
        holder = nil
        let isKept = !isClosed && connection?.isInTransaction == false
        let isLast = isClosed
        self.connection = isKept ? connection : nil
        condition.broadcast()
        condition.unlock()
        guard !isKept, let connection else { return }
        if isLast { settle(connection) }
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
        settle(idle)
        idle.close()
    }

    private func settle(_ connection: SQLiteConnection) {
        StoreClosing(connection: connection, file: file, configuration: configuration).settle()
    }
}
#endif

#if SQLite
import ContextCore

/// A cache of read connections, one for each concurrent read session.
///
/// A mutex guards the idle connections, the number of borrowed ones and the statistics. The store limits the number of sessions.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var borrowedCount = 0
        var statements = DatabaseStatistics.Cache()
        var isClosed = false
    }

    /// The largest number of idle connections.
    private static let capacity = 16

    private let state = Guarded(State())
    private let configuration: SQLiteConfiguration
    private let file: StoreFile

    init(_ configuration: SQLiteConfiguration, _ file: StoreFile) {
        self.configuration = configuration
        self.file = file
    }

    /// Returns an idle connection or opens a new one.
    func borrow() throws(StoreError) -> SQLiteConnection {
        let idle = state.withLock { state in
            state.borrowedCount += 1
            return state.idle.popLast()
        }
        if let idle { return idle }
        do throws(StoreError) {
            return try SQLiteConnection.open(.read, file, configuration)
        } catch {
            state.withLock { $0.borrowedCount -= 1 }
            throw error
        }
    }

    /// Returns a connection to the pool, which closes it if it is in a transaction.
    func returnConnection(_ connection: SQLiteConnection) {
        let isReusable = !connection.isInTransaction
        let counts = connection.removeCacheCounts()
        let isReturned = state.withLock { state in
            state.borrowedCount -= 1
            state.statements += counts
            guard isReusable, !state.isClosed, state.idle.count < Self.capacity else { return false }
            state.idle.append(connection)
            return true
        }
        if !isReturned { connection.close() }
    }

    /// The number of connections that sessions use, of idle ones, and of lookups of prepared statements.
    var statistics: (inUse: Int, idle: Int, statements: DatabaseStatistics.Cache) {
        state.withLock { ($0.borrowedCount, $0.idle.count, $0.statements) }
    }

    /// Closes the idle connections, so that later sessions open new ones.
    func discardIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        discardIdle()
    }
}
#endif

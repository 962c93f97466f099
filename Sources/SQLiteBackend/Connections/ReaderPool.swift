#if SQLite
import ContextCore

/// A cache of read connections, one for each concurrent read session.
///
/// A mutex guards the idle connections. The store limits the number of sessions.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
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
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        return try SQLiteConnection.open(.read, file, configuration)
    }

    /// Returns a connection to the pool, which closes it if it is in a transaction.
    func returnConnection(_ connection: SQLiteConnection) {
        let isReturned =
            !connection.isInTransaction
            && state.withLock { state in
                guard !state.isClosed, state.idle.count < Self.capacity else { return false }
                state.idle.append(connection)
                return true
            }
        if !isReturned { connection.close() }
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

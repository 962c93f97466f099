#if SQLite
import ContextCore

/// The connections that read, as many as there are read sessions at once.
///
/// State: the idle connections, guarded by a mutex. How many sessions there may be is for whoever opens them to say.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
    }

    /// How many idle connections are kept.
    private static let capacity = 16

    private let state = Guarded(State())
    private let configuration: SQLiteConfiguration
    private let file: StoreFile

    init(_ configuration: SQLiteConfiguration, _ file: StoreFile) {
        self.configuration = configuration
        self.file = file
    }

    /// An idle connection, or a new one.
    func take() throws(StoreError) -> SQLiteConnection {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        return try SQLiteConnection.open(.read, file, configuration)
    }

    /// Takes a connection back, unless it is in a state that nobody else should find it in.
    func giveBack(_ connection: SQLiteConnection) {
        let isKept =
            !connection.isInTransaction
            && state.withLock { state in
                guard !state.isClosed, state.idle.count < Self.capacity else { return false }
                state.idle.append(connection)
                return true
            }
        if !isKept { connection.close() }
    }

    /// Closes the idle connections: the next sessions open new ones.
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

#if Postgres
import ContextCore
import SQLStore
import Synchronization

/// A store's connections to its servers, its own or those that it shares with other stores.
///
/// State: whether it is closed, an atomic; the server's processes that wait for connections which were given up, guarded by a lock; the
/// connections are the pool's.
final class PostgresPool: Sendable {
    private let configuration: PostgresConfiguration
    private let connections: ConnectionPool<PostgresConnection>
    private let orphans = Guarded<[ServerProcess]>([])
    private let closed = Atomic(false)

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        connections =
            configuration.sharesConnections
            ? SharedConnections.ofProcess.joinPool(configuration) : ConnectionPool(configuration)
    }

    deinit { close() }

    /// Lends a connection, an idle one or a new one; waits while all are lent.
    ///
    /// - Throws: `StoreError.Code.busy` with the names of those who have them all, when that takes too long.
    func take(for identifier: String, heedsCancellation: Bool = false) throws(StoreError)
        -> PostgresConnection
    {
        try checkOpen()
        let connection = try connections.take(for: identifier, heedsCancellation: heedsCancellation)
        do throws(StoreError) {
            // Others that share the connections don't close them with this store.
            try checkOpen()
        } catch {
            connections.giveBack(connection)
            throw error
        }
        if configuration.sharesConnections { connection.serve(configuration) }
        endOrphans(by: connection)
        connection.heedsCancellation = heedsCancellation
        return connection
    }

    private func checkOpen() throws(StoreError) {
        if closed.load(ordering: .acquiring) { throw .closedStore }
    }

    /// Lets the server end the processes that wait for connections which were given up: they may hold locks that others wait for.
    private func endOrphans(by connection: PostgresConnection) {
        let known = orphans.withLock { orphans in
            defer { orphans = [] }
            return orphans
        }
        let left = known.filter { (try? connection.integer($0.termination)) != 0 }
        if !left.isEmpty { orphans.withLock { $0 += left } }
    }

    /// Takes a connection back; one in a state that nobody else should find it in is closed.
    func giveBack(_ connection: PostgresConnection) {
        connection.heedsCancellation = false
        // Whoever has it next must not meet the statements that were refused to the last one.
        if !connection.isInTransaction, connection.posted.isEmpty { connection.takeStaleness() }
        // Before it comes back, so that whoever has waited for it ends what it leaves.
        if connection.leavesOrphan {
            connection.leavesOrphan = false
            let process = connection.process
            orphans.withLock { $0.append(process) }
        }
        // Another store's log hears of nothing that an idle connection does.
        if configuration.sharesConnections { connection.serve(configuration.ofConnections) }
        connections.giveBack(connection)
    }

    /// Closes the idle connections, and the others when they are given back; later calls of ``take(for:heedsCancellation:)`` throw.
    ///
    /// Connections that are shared are closed with the last store that shares them.
    func close() {
        if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
        if configuration.sharesConnections {
            SharedConnections.ofProcess.leavePool(configuration)
        } else {
            connections.close()
        }
    }

    /// Who has connections now, and who waits.
    var report: ConnectionReport { connections.report }
}

extension PostgresConnection: PooledConnection {
    /// For how long an idle connection is believed to be alive as long as nothing was heard to the contrary.
    private static let trust = Duration.seconds(30)

    var isFit: Bool { isAlive && !isInTransaction && posted.isEmpty }

    func isUsable(afterIdle time: Duration) -> Bool {
        if notesItsEnd() { return false }
        return time <= Self.trust || (try? execute("")) != nil && isAlive
    }
}
#endif

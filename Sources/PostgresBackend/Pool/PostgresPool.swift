#if Postgres
import ContextCore
import SQLStore
import Synchronization

/// A store's connections to its servers, either exclusive or shared with other stores.
///
/// An atomic stores whether the pool is closed. Locks guard the list of server processes whose connections were abandoned, and the number of
/// lookups of prepared statements.
final class PostgresPool: Sendable {
    private let configuration: PostgresConfiguration
    private let connections: ConnectionPool<PostgresConnection>
    private let orphanedProcesses = Guarded<[ServerProcess]>([])
    private let statements = Guarded(DatabaseStatistics.Cache())
    private let closed = Atomic(false)

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        connections =
            configuration.sharesConnections
            ? SharedConnections.shared.joinPool(configuration) : ConnectionPool(configuration)
    }

    deinit { close() }

    /// Borrows an idle or new connection, and waits while all are in use.
    ///
    /// - Throws: `StoreError.Code.busy` with the identifiers of the borrowers if the wait exceeds the timeout.
    func borrow(for identifier: String, isCancellable: Bool = false) throws(StoreError)
        -> PostgresConnection
    {
        try checkOpen()
        let connection = try connections.borrow(for: identifier, isCancellable: isCancellable)
        do throws(StoreError) {
            // A shared pool stays open when this store is closed.
            try checkOpen()
        } catch {
            connections.returnConnection(connection)
            throw error
        }
        if configuration.sharesConnections { connection.setConfiguration(configuration) }
        terminateOrphanedProcesses(by: connection)
        connection.setCancellationScope(isCancellable ? .statements : .nothing)
        return connection
    }

    private func checkOpen() throws(StoreError) {
        if closed.load(ordering: .acquiring) { throw .closedStore }
    }

    /// Terminates the server processes of abandoned connections, which may hold locks.
    private func terminateOrphanedProcesses(by connection: PostgresConnection) {
        let known = orphanedProcesses.withLock { orphanedProcesses in
            defer { orphanedProcesses = [] }
            return orphanedProcesses
        }
        let remaining = known.filter { (try? connection.integer($0.terminationQuery)) != 0 }
        if !remaining.isEmpty { orphanedProcesses.withLock { $0 += remaining } }
    }

    /// Returns a connection to the pool, which closes it if it isn't fit for reuse.
    func returnConnection(_ connection: PostgresConnection) {
        connection.setCancellationScope(.nothing)
        let counts = connection.prepared.removeCounts()
        statements.withLock { $0 += counts }
        // The next borrower must not see prepared statements that the server has invalidated.
        if !connection.isInTransaction, connection.pipeline.isEmpty {
            connection.discardStalePreparedStatements()
        }
        // First, so that the next borrower terminates the abandoned process.
        if let process = connection.removeOrphanedProcess() {
            orphanedProcesses.withLock { $0.append(process) }
        }
        // An idle shared connection must not write to a store's statement log.
        if configuration.sharesConnections {
            connection.setConfiguration(configuration.connectionSettingsOnly)
        }
        connections.returnConnection(connection)
    }

    /// Closes the idle connections, and the others when they are returned; later calls of ``borrow(for:isCancellable:)`` throw.
    ///
    /// Shared connections are closed with the last store that shares them.
    func close() {
        if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
        if configuration.sharesConnections {
            SharedConnections.shared.leavePool(configuration)
        } else {
            connections.close()
        }
    }

    /// The current borrowers, and the operations that wait for a connection.
    var report: ConnectionReport { connections.report }

    /// The number of lookups of prepared statements by this store.
    var statementLookups: DatabaseStatistics.Cache { statements.withLock { $0 } }
}

extension PostgresConnection: PooledConnection {
    /// The idle time up to which a connection is reused without a test query, unless the server has visibly closed it.
    private static let maxUntestedIdleTime = Duration.seconds(30)

    var isReusable: Bool { isAlive && !isInTransaction && pipeline.isEmpty }

    func isUsable(afterIdle time: Duration) -> Bool {
        if detectsServerClose() { return false }
        return time <= Self.maxUntestedIdleTime || (try? execute("")) != nil && isAlive
    }
}
#endif

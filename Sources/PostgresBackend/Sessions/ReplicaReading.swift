#if Postgres
import ContextCore
import Foundation

/// The replicas of a store's servers, and the number of the save that a replica must have before a session reads from it.
///
/// Each read session reads the end of the history on its replica, so it doesn't matter which replica it connects to.
///
/// A lock guards the number, and the time until which no replica is tried.
final class ReplicaReading: Sendable {
    private struct State {
        var sequence: Int64 = 0
        var pausedUntil: ContinuousClock.Instant?
    }

    /// The time for which no replica is tried after none could be reached.
    private static let rest = Duration.seconds(5)

    let pool: PostgresPool
    private let replicaTimeout: Duration
    private let state = Guarded(State())

    init(_ configuration: PostgresConfiguration) {
        var configuration = configuration
        configuration.hosts = configuration.replicas
        configuration.target = .any
        configuration.balancesHosts = true
        // If no replica answers soon, the session reads from the first servers.
        configuration.timeout = min(configuration.timeout, .seconds(2))
        pool = PostgresPool(configuration)
        replicaTimeout = configuration.replicaTimeout
    }

    func close() { pool.close() }

    /// Records the number of a save that the store has made or read, which later sessions must see.
    func requireNumber(_ sequence: Int64) {
        state.withLock { $0.sequence = max($0.sequence, sequence) }
    }

    /// Begins a read transaction on a replica; nil if no replica can be reached, or if the replica lags too far behind.
    ///
    /// - Throws: Only `StoreError.Code.cancelled`.
    func begin(
        _ store: PostgresStore, _ options: SessionOptions
    ) throws(StoreError) -> (PostgresConnection, HistoryEnd)? {
        let (wanted, isPaused) = state.withLock { ($0.sequence, $0.pausedUntil.map { $0 > .now } ?? false) }
        if isPaused { return nil }
        let deadline = ContinuousClock.now + replicaTimeout
        var backoff = Backoff()
        do throws(StoreError) {
            while true {
                let (connection, historyEnd) = try store.begin(
                    store.start.reading(with: options), options, from: pool)
                if historyEnd.end >= wanted {
                    requireNumber(historyEnd.newest)
                    return (connection, historyEnd)
                }
                try? connection.execute("ROLLBACK")
                pool.returnConnection(connection)
                let pause = backoff.nextPause()
                if ContinuousClock.now + pause >= deadline { return nil }
                Thread.sleep(pause)
            }
        } catch {
            if error.code == .cancelled { throw error }
            if error.code == .connectionLost { state.withLock { $0.pausedUntil = .now + Self.rest } }
            return nil
        }
    }
}
#endif

#if Postgres
import ContextCore
import Foundation

/// The servers that follow a store's first ones, and what is asked of them: to know all that the store has saved or seen.
///
/// How far a server is it says itself, by the store's clock. So it doesn't matter which server it is, nor what has become of others.
///
/// State: the clock, and until when no replica is asked; guarded by one lock.
final class ReplicaReading: Sendable {
    private struct State {
        var sequence: Int64 = 0
        var restsUntil: ContinuousClock.Instant?
    }

    /// For how long none is asked, after none could be reached.
    private static let rest = Duration.seconds(5)

    let pool: PostgresPool
    private let patience: Duration
    private let state = Guarded(State())

    init(_ configuration: PostgresConfiguration) {
        var configuration = configuration
        configuration.hosts = configuration.replicas
        configuration.target = .any
        configuration.sharesHosts = true
        // Where a replica doesn't answer soon, another server will.
        configuration.timeout = min(configuration.timeout, .seconds(2))
        pool = PostgresPool(configuration)
        patience = configuration.replicaPatience
    }

    func close() { pool.close() }

    /// The store has saved, or seen, so much; nobody may see less from now on.
    func note(_ sequence: Int64) {
        state.withLock { $0.sequence = max($0.sequence, sequence) }
    }

    /// Begins to read on a replica; nil where none is there, or none that is far enough.
    ///
    /// - Throws: `StoreError.Code.cancelled`, and nothing else.
    func begin(
        _ store: PostgresStore, _ options: SessionOptions
    ) throws(StoreError) -> (PostgresConnection, ClockReading)? {
        let (wanted, rests) = state.withLock { ($0.sequence, $0.restsUntil.map { $0 > .now } ?? false) }
        if rests { return nil }
        let deadline = ContinuousClock.now + patience
        var backoff = Backoff()
        do throws(StoreError) {
            while true {
                let (connection, clock) = try store.begin(
                    store.start.reading, options, from: pool)
                if clock.end >= wanted {
                    note(clock.newest)
                    return (connection, clock)
                }
                try? connection.execute("ROLLBACK")
                pool.giveBack(connection)
                let pause = backoff.next()
                if ContinuousClock.now + pause >= deadline { return nil }
                Thread.sleep(pause)
            }
        } catch {
            if error.code == .cancelled { throw error }
            if error.code == .connectionLost { state.withLock { $0.restsUntil = .now + Self.rest } }
            return nil
        }
    }
}
#endif

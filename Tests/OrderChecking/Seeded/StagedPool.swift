import ContextCore
import SQLStore

/// The connections of a staged store: the pool of the backends with few connections, which lets other threads run between any two steps.
///
/// A mutex guards `asked`.
final class StagedPool: Sendable {
    /// The average number of attempts to connect until one fails.
    private static let refusalRate = 25

    let history = PoolHistory()
    private let limit: Int
    private let connections: ConnectionPool<StagedConnection>
    /// The number of requests, which makes the name of each holder unique.
    private let asked = Guarded(0)

    init(_ scheduler: SeededScheduler, bug: PlantedBug?) {
        limit = 1 + scheduler.roll(3)
        let state = PoolState(
            limit: limit + (bug == .lendsOneTooMany ? 1 : 0),
            maximumAge: .milliseconds(1 + scheduler.roll(50)),
            idleLimit: .milliseconds(1 + scheduler.roll(20)))
        let timeouts = [Duration.milliseconds(1), .milliseconds(100), .seconds(1)]
        connections = ConnectionPool(
            StagedLending(state, history, bug), timeout: timeouts[scheduler.roll(timeouts.count)],
            environment: scheduler.poolEnvironment
        ) { [history] () throws(StoreError) in
            SeededScheduler.pause()
            if scheduler.roll(Self.refusalRate) == 0 { throw StagedConnection.loss }
            return StagedConnection(scheduler, history)
        }
    }

    /// Borrows a connection for a session.
    func borrow(_ options: SessionOptions) throws -> StagedConnection {
        let number = asked.withLock { asked in
            asked += 1
            return asked
        }
        let name = "\(options.identifier), \(number)."
        do {
            let connection = try connections.borrow(for: name, isCancellable: options.isCancellable)
            history.record(.success(name))
            connection.begin(name)
            return connection
        } catch {
            history.record(.failure(name))
            throw error
        }
    }

    func returnConnection(_ connection: StagedConnection) {
        connection.end()
        connections.returnConnection(connection)
    }

    func close() { connections.close() }

    /// Descriptions of the violations, after all sessions have ended.
    var violations: [String] { history.complaints + PoolChecker.violations(history.events, limit: limit) }
}

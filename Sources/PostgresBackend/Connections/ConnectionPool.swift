#if Postgres
import ContextCore
import Dispatch

/// A store's connections: a bounded number, lent to one session at a time.
///
/// State: the idle connections and who has the others, guarded by a mutex; a semaphore counts those that may still be lent.
final class ConnectionPool: Sendable {
    private struct State: ~Copyable {
        var idle: [PostgresConnection] = []
        var holders: [String] = []
        var isClosed = false
    }

    private let configuration: PostgresConfiguration
    private let state = Guarded(State())
    private let free: DispatchSemaphore

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        free = DispatchSemaphore(value: configuration.connections)
    }

    /// Lends a connection, an idle one or a new one; waits while all are lent.
    ///
    /// - Throws: ``StoreError/Code/busy`` with the names of those who have them all, when that takes too long.
    func take(for identifier: String) throws(StoreError) -> PostgresConnection {
        let components = configuration.timeout.components
        let limit =
            DispatchTime.now() + .seconds(Int(components.seconds))
            + .nanoseconds(Int(components.attoseconds / 1_000_000_000))
        guard free.wait(timeout: limit) == .success else { throw exhausted() }
        while let idle = popIdle() {
            if idle.connection.isAlive { return note(idle.connection, identifier) }
        }
        do throws(StoreError) {
            return note(try PostgresConnection(configuration), identifier)
        } catch {
            free.signal()
            throw error
        }
    }

    /// Takes a connection back, unless it is in a state that nobody else should find it in.
    func giveBack(_ connection: PostgresConnection, from identifier: String) {
        let isFit = connection.isAlive && !connection.isInTransaction
        let lent = Lent(connection: connection)
        state.withLock { state in
            if let index = state.holders.firstIndex(of: identifier) { state.holders.remove(at: index) }
            if isFit && !state.isClosed { state.idle.append(lent.connection) }
        }
        free.signal()
    }

    /// Closes the idle connections, and the others when they are given back.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }

    private func popIdle() -> Lent? {
        state.withLock { state in state.idle.popLast().map { Lent(connection: $0) } }
    }

    private func note(_ connection: PostgresConnection, _ identifier: String) -> PostgresConnection {
        state.withLock { $0.holders.append(identifier) }
        return connection
    }

    private func exhausted() -> StoreError {
        let holders = state.withLock { $0.holders }.sorted().joined(separator: ", ")
        return StoreError(
            .busy, "All \(configuration.connections) connections of the store are in use.",
            remedy: "Give the store more connections, or hold them for less long.",
            detail: "They are held by: \(holders).")
    }
}

/// A connection on its way between the pool and a session.
// @unchecked: whoever has it is the only one who has.
private struct Lent: @unchecked Sendable {
    let connection: PostgresConnection
}
#endif

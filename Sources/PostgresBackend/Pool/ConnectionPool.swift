#if Postgres
import ContextCore
import Dispatch
import Foundation

/// A store's connections: a bounded number, lent to one session at a time, in the order in which they ask.
///
/// State: who has which connection, the connections that nobody uses, whom to wake, and the server's processes that wait for
/// connections which were given up: guarded by one lock.
final class ConnectionPool: Sendable {
    private struct State: ~Copyable {
        var lending: PoolState
        var idle: [Int: PostgresConnection] = [:]
        var leases: [ObjectIdentifier: PoolState.Lease] = [:]
        var waiters: [Int: PoolWaiter] = [:]
        var orphans: [ServerProcess] = []
    }

    /// For how long an idle connection is believed to be alive as long as nothing was heard to the contrary.
    private static let trust = Duration.seconds(30)

    private let configuration: PostgresConfiguration
    private let state: Guarded<State>

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        state = Guarded(
            State(
                lending: PoolState(
                    limit: configuration.connections, maximumAge: configuration.maximumAge,
                    idleLimit: configuration.idleLimit)))
    }

    // MARK: Lending

    /// Lends a connection, an idle one or a new one; waits while all are lent.
    ///
    /// - Throws: `StoreError.Code.busy` with the names of those who have them all, when that takes too long.
    func take(for identifier: String, heedsCancellation: Bool = false) throws(StoreError)
        -> PostgresConnection
    {
        let connection = try connection(of: try lease(for: identifier, heedsCancellation))
        endOrphans(by: connection)
        connection.heedsCancellation = heedsCancellation
        return connection
    }

    /// Lets the server end the processes that wait for connections which were given up: they may hold locks that others wait for.
    private func endOrphans(by connection: PostgresConnection) {
        let orphans = state.withLock { state in
            defer { state.orphans = [] }
            return state.orphans
        }
        let left = orphans.filter { (try? connection.integer($0.termination)) != 0 }
        if !left.isEmpty { state.withLock { $0.orphans += left } }
    }

    private func lease(for identifier: String, _ heedsCancellation: Bool) throws(StoreError)
        -> PoolState.Lease
    {
        let waiter = PoolWaiter()
        let answer = state.withLock { state in
            let now = ContinuousClock.now
            for outworn in state.lending.takeOutworn(at: now) {
                state.idle.removeValue(forKey: outworn)?.hangUp()
            }
            let answer = state.lending.request(by: identifier, at: now)
            if case .waits(let place) = answer { state.waiters[place] = waiter }
            return answer
        }
        switch answer {
        case .lent(let lease): return lease
        case .closed: throw .closedStore
        case .waits(let place):
            let outcome = waiter.wait(configuration.timeout, heedsCancellation: heedsCancellation)
            return try lease(at: place, waiter, outcome)
        }
    }

    /// What has come of waiting; a lease that came at the last moment counts.
    private func lease(
        at place: Int, _ waiter: PoolWaiter, _ outcome: PoolWaiter.Outcome
    ) throws(StoreError) -> PoolState.Lease {
        let outcome = state.withLock { state in
            state.waiters[place] = nil
            state.lending.withdraw(place)
            return waiter.outcome ?? outcome
        }
        switch outcome {
        case .lent(let lease): return lease
        case .closed: throw .closedStore
        case .cancelled:
            throw StoreError(
                .cancelled, "The operation was cancelled.", remedy: "Begin it again if it is still wanted.")
        case .late:
            throw StoreError(
                .busy, "All \(configuration.connections) connections of the store are in use.",
                remedy: "Give the store more connections, or hold them for less long.",
                detail: "\(report).")
        }
    }

    /// The connection that was lent, and another in its place where it is dead.
    private func connection(of lease: PoolState.Lease) throws(StoreError) -> PostgresConnection {
        var lease = lease
        if !lease.isNew {
            let idle = state.withLock { state in
                Lent(connection: state.idle.removeValue(forKey: lease.connection))
            }
            if let connection = idle.connection, isUsable(connection, idleSince: lease.idleSince) {
                note(connection, lease)
                return connection
            }
            lease = state.withLock { $0.lending.replace(lease, at: .now) }
        }
        do throws(StoreError) {
            let connection = try PostgresConnection(configuration)
            note(connection, lease)
            return connection
        } catch {
            giveBack(lease, nil)
            throw error
        }
    }

    private func isUsable(_ connection: PostgresConnection, idleSince: ContinuousClock.Instant?) -> Bool {
        if connection.notesItsEnd() { return false }
        guard let idleSince, idleSince.duration(to: .now) > Self.trust else { return true }
        return (try? connection.execute("")) != nil && connection.isAlive
    }

    private func note(_ connection: PostgresConnection, _ lease: PoolState.Lease) {
        let identity = ObjectIdentifier(connection)
        state.withLock { $0.leases[identity] = lease }
    }

    // MARK: Giving back

    /// Takes a connection back; one in a state that nobody else should find it in is closed.
    func giveBack(_ connection: PostgresConnection) {
        let identity = ObjectIdentifier(connection)
        connection.heedsCancellation = false
        // Whoever has it next must not meet the statements that were refused to the last one.
        if !connection.isInTransaction, connection.posted.isEmpty { connection.takeStaleness() }
        guard let lease = state.withLock({ $0.leases.removeValue(forKey: identity) }) else { return }
        giveBack(lease, connection)
    }

    private func giveBack(_ lease: PoolState.Lease, _ connection: PostgresConnection?) {
        let isFit = connection.map { $0.isAlive && !$0.isInTransaction && $0.posted.isEmpty } ?? false
        let lent = Lent(connection: connection)
        state.withLock { state in
            let answer = state.lending.giveBack(lease, isFit: isFit, at: .now)
            if answer.isDiscarded {
                lent.connection?.hangUp()
            } else {
                state.idle[lease.connection] = lent.connection
            }
            if let connection = lent.connection, connection.leavesOrphan {
                state.orphans.append(connection.process)
            }
            if let (place, lease) = answer.next {
                state.waiters.removeValue(forKey: place)?.resume(.lent(lease))
            }
        }
    }

    // MARK: Ending

    /// Closes the idle connections, and the others when they are given back; whoever waits is told.
    func close() {
        state.withLock { state in
            let (connections, places) = state.lending.close()
            for place in places { state.waiters.removeValue(forKey: place)?.resume(.closed) }
            for connection in connections { state.idle.removeValue(forKey: connection)?.hangUp() }
        }
    }

    /// Who has connections now, and who waits.
    var report: ConnectionReport { state.withLock { $0.lending.report(at: .now) } }
}

/// A connection on its way between the pool and a session.
// @unchecked: whoever has it is the only one who has.
private struct Lent: @unchecked Sendable {
    let connection: PostgresConnection?
}

extension StoreError {
    static let closedStore = StoreError(.closed, "The store is closed.", remedy: "Open it again.")
}
#endif

package import ContextCore

/// A bounded pool of a store's connections, which lends each connection to one session at a time, in first-come order.
///
/// One lock guards its state: the leases, the idle connections, and the threads that wait.
package final class ConnectionPool<Connection: PooledConnection>: Sendable {
    private struct State: ~Copyable {
        var lending: any PoolPolicy
        var idle: [Int: Connection] = [:]
        var leases: [ObjectIdentifier: PoolState.Lease] = [:]
        var waiters: [Int: PoolWaiter] = [:]
    }

    /// The longest time that a session waits for a connection.
    private let timeout: Duration
    private let surroundings: PipelineEnvironment
    private let make: @Sendable () throws(StoreError) -> Connection
    private let state: Guarded<State>

    /// Creates an empty pool, which opens connections on demand.
    package init(
        _ lending: some PoolPolicy, timeout: Duration, surroundings: PipelineEnvironment = .system,
        make: @escaping @Sendable () throws(StoreError) -> Connection
    ) {
        self.timeout = timeout
        self.surroundings = surroundings
        self.make = make
        state = Guarded(State(lending: lending))
    }

    // MARK: Lending

    /// Lends an idle or a new connection; waits while all are lent.
    ///
    /// - Throws: `StoreError.Code.busy` with the names of the sessions that hold connections, when the wait times out.
    package func borrow(for identifier: String, isCancellable: Bool = false) throws(StoreError)
        -> Connection
    {
        try connection(of: try lease(for: identifier, isCancellable))
    }

    private func lease(for identifier: String, _ isCancellable: Bool) throws(StoreError)
        -> PoolState.Lease
    {
        let (waiter, now) = (PoolWaiter(), surroundings.now())
        let answer = state.withLock { state in
            for outworn in state.lending.removeExpired(at: now) {
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
            let outcome = waiter.wait(timeout, isCancellable: isCancellable, surroundings)
            return try lease(at: place, waiter, outcome)
        }
    }

    /// Returns the result of waiting; a lease that arrives just after the timeout counts.
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
                .cancelled, "The operation was cancelled.", remedy: "Run it again if it is still needed.")
        case .late:
            let report = report
            throw StoreError(
                .busy, "All \(report.limit) connections of the store are in use.",
                remedy: "Raise “connections” in the store's URL, or end sessions and blocks sooner.",
                detail: "\(report).")
        }
    }

    /// Returns the connection of a lease, or a new one if that connection is dead.
    private func connection(of lease: PoolState.Lease) throws(StoreError) -> Connection {
        var lease = lease
        if !lease.isNew {
            let idle = state.withLock { state in
                Lent(connection: state.idle.removeValue(forKey: lease.connection))
            }
            let time = lease.idleSince.map { $0.duration(to: surroundings.now()) } ?? .zero
            if let connection = idle.connection, connection.isUsable(afterIdle: time) {
                recordLease(lease, of: connection)
                return connection
            }
            idle.connection?.hangUp()
            let now = surroundings.now()
            lease = state.withLock { $0.lending.replace(lease, at: now) }
        }
        do throws(StoreError) {
            let connection = try make()
            recordLease(lease, of: connection)
            return connection
        } catch {
            giveBack(lease, nil)
            throw error
        }
    }

    private func recordLease(_ lease: PoolState.Lease, of connection: Connection) {
        let identity = ObjectIdentifier(connection)
        state.withLock { $0.leases[identity] = lease }
    }

    // MARK: Returning connections

    /// Returns a connection to the pool, which closes it if another session can't use it.
    package func giveBack(_ connection: Connection) {
        let identity = ObjectIdentifier(connection)
        guard let lease = state.withLock({ $0.leases.removeValue(forKey: identity) }) else { return }
        giveBack(lease, connection)
    }

    private func giveBack(_ lease: PoolState.Lease, _ connection: Connection?) {
        let (isFit, now) = (connection?.isFit ?? false, surroundings.now())
        let lent = Lent(connection: connection)
        state.withLock { state in
            let answer = state.lending.giveBack(lease, isFit: isFit, at: now)
            if answer.isDiscarded {
                lent.connection?.hangUp()
            } else {
                state.idle[lease.connection] = lent.connection
            }
            if let next = answer.next {
                state.waiters.removeValue(forKey: next.place)?.resume(.lent(next.lease))
            }
        }
    }

    // MARK: Closing

    /// Closes the idle connections now and the others when they are returned, and wakes the waiting sessions.
    package func close() {
        state.withLock { state in
            let (connections, places) = state.lending.close()
            for place in places { state.waiters.removeValue(forKey: place)?.resume(.closed) }
            for connection in connections { state.idle.removeValue(forKey: connection)?.hangUp() }
        }
    }

    /// The sessions that hold connections now, and those that wait.
    package var report: ConnectionReport {
        let now = surroundings.now()
        return state.withLock { $0.lending.report(at: now) }
    }

    /// A connection in transit between the pool and a session.
    // @unchecked: only one thread at a time has the value.
    private struct Lent: @unchecked Sendable {
        let connection: Connection?
    }
}

extension StoreError {
    package static var closedStore: StoreError {
        StoreError(.closed, "The store is closed.", remedy: "Open it again.")
    }
}

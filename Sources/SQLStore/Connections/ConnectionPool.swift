package import ContextCore

/// A bounded pool of a store's connections, which lends each connection to one session at a time, in first-come order.
///
/// One lock guards its state: the leases, the idle connections, and the threads that wait.
package final class ConnectionPool<Connection: PooledConnection>: Sendable {
    private struct State: ~Copyable {
        var policy: any PoolPolicy
        var idle: [Int: Connection] = [:]
        var leases: [ObjectIdentifier: PoolState.Lease] = [:]
        var waiters: [Int: PoolWaiter] = [:]
    }

    /// The longest time that a session waits for a connection.
    private let timeout: Duration
    private let environment: PipelineEnvironment
    private let make: @Sendable () throws(StoreError) -> Connection
    private let state: Guarded<State>

    /// Creates an empty pool, which opens connections on demand.
    package init(
        _ policy: some PoolPolicy, timeout: Duration, environment: PipelineEnvironment = .system,
        make: @escaping @Sendable () throws(StoreError) -> Connection
    ) {
        self.timeout = timeout
        self.environment = environment
        self.make = make
        state = Guarded(State(policy: policy))
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
        let (waiter, now) = (PoolWaiter(), environment.now())
        let result = state.withLock { state in
            for expired in state.policy.removeExpired(at: now) {
                state.idle.removeValue(forKey: expired)?.forceClose()
            }
            let result = state.policy.request(by: identifier, at: now)
            if case .waits(let ticket) = result { state.waiters[ticket] = waiter }
            return result
        }
        switch result {
        case .lent(let lease): return lease
        case .closed: throw .closedStore
        case .waits(let ticket):
            let outcome = waiter.wait(atMost: timeout, isCancellable: isCancellable, in: environment)
            return try lease(at: ticket, waiter, outcome)
        }
    }

    /// Returns the result of waiting; a lease that arrives just after the timeout counts.
    private func lease(
        at ticket: Int, _ waiter: PoolWaiter, _ outcome: PoolWaiter.Outcome
    ) throws(StoreError) -> PoolState.Lease {
        let outcome = state.withLock { state in
            state.waiters[ticket] = nil
            state.policy.withdraw(ticket)
            return waiter.outcome ?? outcome
        }
        switch outcome {
        case .lent(let lease): return lease
        case .closed: throw .closedStore
        case .cancelled:
            throw StoreError(
                .cancelled, "The operation was cancelled.", remedy: "Run it again if it is still needed.")
        case .timedOut:
            let report = report
            throw StoreError(
                .busy, "All \(report.limit) connections of the store are in use.",
                remedy: "Raise “connections” in the store's URL, or end sessions and blocks sooner.",
                detail: "\(report).")
        }
    }

    /// Returns the connection of a lease, or a new one if that connection is unusable.
    private func connection(of lease: PoolState.Lease) throws(StoreError) -> Connection {
        var lease = lease
        if !lease.isNew {
            let idle = state.withLock { state in
                Lent(connection: state.idle.removeValue(forKey: lease.connection))
            }
            let time = lease.idleSince.map { $0.duration(to: environment.now()) } ?? .zero
            if let connection = idle.connection, connection.isUsable(afterIdle: time) {
                recordLease(lease, of: connection)
                return connection
            }
            idle.connection?.forceClose()
            let now = environment.now()
            lease = state.withLock { $0.policy.replace(lease, at: now) }
        }
        do throws(StoreError) {
            let connection = try make()
            recordLease(lease, of: connection)
            return connection
        } catch {
            returnConnection(lease, nil)
            throw error
        }
    }

    private func recordLease(_ lease: PoolState.Lease, of connection: Connection) {
        let identity = ObjectIdentifier(connection)
        state.withLock { $0.leases[identity] = lease }
    }

    // MARK: Returning connections

    /// Returns a connection to the pool, which closes it if another session can't use it.
    package func returnConnection(_ connection: Connection) {
        let identity = ObjectIdentifier(connection)
        guard let lease = state.withLock({ $0.leases.removeValue(forKey: identity) }) else { return }
        returnConnection(lease, connection)
    }

    private func returnConnection(_ lease: PoolState.Lease, _ connection: Connection?) {
        let (isReusable, now) = (connection?.isReusable ?? false, environment.now())
        let lent = Lent(connection: connection)
        state.withLock { state in
            let result = state.policy.returnConnection(lease, isReusable: isReusable, at: now)
            if result.isDiscarded {
                lent.connection?.forceClose()
            } else {
                state.idle[lease.connection] = lent.connection
            }
            if let next = result.next {
                state.waiters.removeValue(forKey: next.ticket)?.resume(.lent(next.lease))
            }
        }
    }

    // MARK: Closing

    /// Closes the idle connections now and the others when they are returned, and wakes the waiting sessions.
    package func close() {
        state.withLock { state in
            let (connections, tickets) = state.policy.close()
            for ticket in tickets { state.waiters.removeValue(forKey: ticket)?.resume(.closed) }
            for connection in connections { state.idle.removeValue(forKey: connection)?.forceClose() }
        }
    }

    /// The sessions that hold connections now, and those that wait.
    package var report: ConnectionReport {
        let now = environment.now()
        return state.withLock { $0.policy.report(at: now) }
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

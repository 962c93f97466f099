package import ContextCore

/// The pure state of a pool: its connections, the sessions that borrowed them, and the queue of sessions that wait.
///
/// It identifies connections by number and gets the time from the caller. The pool opens and closes the connections.
package struct PoolState: PoolPolicy {
    /// The right to use one connection.
    package struct Lease: Hashable, Sendable {
        package let connection: Int
        /// Whether the borrower has to open the connection.
        package let isNew: Bool
        /// When the connection became idle, or nil for a new one.
        package var idleSince: Instant?
    }

    package enum RequestResult: Equatable, Sendable {
        case lent(Lease)
        /// All connections are lent; the session waits in the queue under this number.
        case waits(Int)
        case closed
    }

    /// The consequences of returning a connection.
    package struct Return: Equatable, Sendable {
        /// Whether the pool closes the connection.
        package var isDiscarded: Bool
        /// The lease of the next session in the queue.
        package var next: Grant?

        package init(isDiscarded: Bool = false) { self.isDiscarded = isDiscarded }
    }

    /// A lease for a session that waited.
    package struct Grant: Equatable, Sendable {
        /// The session's number in the queue.
        package var ticket: Int
        package let lease: Lease
    }

    private struct Lent {
        let holder: String
        let since: Instant
        let createdAt: Instant
    }

    private struct Idle {
        let connection: Int
        let since: Instant
        let createdAt: Instant
    }

    private let limit: Int
    private let maximumAge: Duration
    private let idleLimit: Duration
    private var idle: [Idle] = []
    private var lent: [Int: Lent] = [:]
    private var queue: [(ticket: Int, holder: String)] = []
    private var nextConnection = 1
    private var nextTicket = 1
    private var isClosed = false

    package init(limit: Int, maximumAge: Duration, idleLimit: Duration) {
        self.limit = limit
        self.maximumAge = maximumAge
        self.idleLimit = idleLimit
    }

    // MARK: Lending

    /// Requests a connection: lends the most recently used first, so that surplus connections reach their idle limit.
    package mutating func request(by holder: String, at now: Instant) -> RequestResult {
        if isClosed { return .closed }
        if lent.count >= limit || !queue.isEmpty {
            defer { nextTicket += 1 }
            queue.append((nextTicket, holder))
            return .waits(nextTicket)
        }
        return .lent(lendConnection(to: holder, at: now))
    }

    private mutating func lendConnection(to holder: String, at now: Instant) -> Lease {
        if let last = idle.popLast() {
            lent[last.connection] = Lent(holder: holder, since: now, createdAt: last.createdAt)
            return Lease(connection: last.connection, isNew: false, idleSince: last.since)
        }
        defer { nextConnection += 1 }
        lent[nextConnection] = Lent(holder: holder, since: now, createdAt: now)
        return Lease(connection: nextConnection, isNew: true)
    }

    /// Replaces an idle connection that is dead with a new one, which the borrower opens.
    package mutating func replace(_ lease: Lease, at now: Instant) -> Lease {
        defer { nextConnection += 1 }
        let holder = lent.removeValue(forKey: lease.connection)?.holder ?? ""
        lent[nextConnection] = Lent(holder: holder, since: now, createdAt: now)
        return Lease(connection: nextConnection, isNew: true)
    }

    /// Returns a connection to the pool; a connection that is not fit is discarded.
    package mutating func returnConnection(_ lease: Lease, isReusable: Bool, at now: Instant) -> Return {
        guard let holding = lent.removeValue(forKey: lease.connection) else { return Return() }
        let staysInPool = isReusable && !isClosed && holding.createdAt.duration(to: now) < maximumAge
        if staysInPool {
            idle.append(Idle(connection: lease.connection, since: now, createdAt: holding.createdAt))
        }
        var result = Return(isDiscarded: !staysInPool)
        if !queue.isEmpty, !isClosed {
            let first = queue.removeFirst()
            result.next = Grant(ticket: first.ticket, lease: lendConnection(to: first.holder, at: now))
        }
        return result
    }

    /// Removes a waiting session from the queue.
    package mutating func withdraw(_ ticket: Int) { queue.removeAll { $0.ticket == ticket } }

    // MARK: Closing

    /// Removes and returns the idle connections that are too old or idle for too long, for the pool to close.
    package mutating func removeExpired(at now: Instant) -> [Int] {
        let expired = idle.filter {
            $0.since.duration(to: now) >= idleLimit || $0.createdAt.duration(to: now) >= maximumAge
        }.map(\.connection)
        if !expired.isEmpty { idle.removeAll { expired.contains($0.connection) } }
        return expired
    }

    /// Closes the pool and returns the idle connections to close and the waiting sessions to wake.
    package mutating func close() -> (connections: [Int], tickets: [Int]) {
        isClosed = true
        defer { (idle, queue) = ([], []) }
        return (idle.map(\.connection), queue.map(\.ticket))
    }

    // MARK: Reporting

    /// Returns which sessions hold connections and which wait.
    package func report(at now: Instant) -> ConnectionReport {
        let holders = lent.sorted { $0.key < $1.key }.map { _, lent in
            ConnectionReport.Holder(identifier: lent.holder, time: lent.since.duration(to: now))
        }
        return ConnectionReport(
            limit: limit, idle: idle.count, holders: holders.sorted { $0.time > $1.time },
            waiting: queue.map(\.holder))
    }
}

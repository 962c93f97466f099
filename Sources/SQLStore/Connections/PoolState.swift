package import ContextCore

/// Which connections a pool has, who was lent them, and who waits for one, in the order in which they asked.
///
/// It is a value that knows connections by numbers, and times as it is told them. Its owner makes and closes connections.
package struct PoolState: ConnectionLending {
    /// The right to use one connection.
    package struct Lease: Hashable, Sendable {
        package let connection: Int
        /// Whether the connection is still to be made.
        package let isNew: Bool
        /// Since when the connection has been idle.
        package var idleSince: Instant?
    }

    package enum Answer: Equatable, Sendable {
        case lent(Lease)
        /// All are lent; the place in the line has a number.
        case waits(Int)
        case closed
    }

    /// What follows from a connection that was given back.
    package struct Return: Equatable, Sendable {
        /// Whether the connection is to be closed.
        package var isDiscarded: Bool
        /// Who gets one now.
        package var next: Grant?

        package init(isDiscarded: Bool = false) { self.isDiscarded = isDiscarded }
    }

    /// What somebody gets who has waited.
    package struct Grant: Equatable, Sendable {
        /// The number of the place in the line.
        package var place: Int
        package let lease: Lease
    }

    private struct Lent {
        let holder: String
        let since: Instant
        let made: Instant
    }

    private struct Idle {
        let connection: Int
        let since: Instant
        let made: Instant
    }

    private let limit: Int
    private let maximumAge: Duration
    private let idleLimit: Duration
    private var idle: [Idle] = []
    private var lent: [Int: Lent] = [:]
    private var line: [(place: Int, holder: String)] = []
    private var nextConnection = 1
    private var nextPlace = 1
    private var isClosed = false

    package init(limit: Int, maximumAge: Duration, idleLimit: Duration) {
        self.limit = limit
        self.maximumAge = maximumAge
        self.idleLimit = idleLimit
    }

    // MARK: Lending

    /// Somebody wants a connection: the one that was used last is taken first, so that those that are too many become old.
    package mutating func request(by holder: String, at now: Instant) -> Answer {
        if isClosed { return .closed }
        if lent.count >= limit || !line.isEmpty {
            defer { nextPlace += 1 }
            line.append((nextPlace, holder))
            return .waits(nextPlace)
        }
        return .lent(lend(to: holder, at: now))
    }

    private mutating func lend(to holder: String, at now: Instant) -> Lease {
        if let last = idle.popLast() {
            lent[last.connection] = Lent(holder: holder, since: now, made: last.made)
            return Lease(connection: last.connection, isNew: false, idleSince: last.since)
        }
        defer { nextConnection += 1 }
        lent[nextConnection] = Lent(holder: holder, since: now, made: now)
        return Lease(connection: nextConnection, isNew: true)
    }

    /// An idle connection turned out to be dead: its holder makes another in its place.
    package mutating func replace(_ lease: Lease, at now: Instant) -> Lease {
        defer { nextConnection += 1 }
        let holder = lent.removeValue(forKey: lease.connection)?.holder ?? ""
        lent[nextConnection] = Lent(holder: holder, since: now, made: now)
        return Lease(connection: nextConnection, isNew: true)
    }

    /// A connection comes back; fit for others, or not.
    package mutating func giveBack(_ lease: Lease, isFit: Bool, at now: Instant) -> Return {
        guard let holding = lent.removeValue(forKey: lease.connection) else { return Return() }
        let isKept = isFit && !isClosed && holding.made.duration(to: now) < maximumAge
        if isKept { idle.append(Idle(connection: lease.connection, since: now, made: holding.made)) }
        var answer = Return(isDiscarded: !isKept)
        if !line.isEmpty, !isClosed {
            let first = line.removeFirst()
            answer.next = Grant(place: first.place, lease: lend(to: first.holder, at: now))
        }
        return answer
    }

    /// Somebody waits no more.
    package mutating func withdraw(_ place: Int) { line.removeAll { $0.place == place } }

    // MARK: Ending

    /// Takes out the idle connections that are too old, or have been idle for too long: they are to be closed.
    package mutating func takeOutworn(at now: Instant) -> [Int] {
        let outworn = idle.filter {
            $0.since.duration(to: now) >= idleLimit || $0.made.duration(to: now) >= maximumAge
        }.map(\.connection)
        if !outworn.isEmpty { idle.removeAll { outworn.contains($0.connection) } }
        return outworn
    }

    /// Ends the lending: the idle connections are to be closed, and those who wait to be told.
    package mutating func close() -> (connections: [Int], places: [Int]) {
        isClosed = true
        defer { (idle, line) = ([], []) }
        return (idle.map(\.connection), line.map(\.place))
    }

    // MARK: Looking

    /// Who has connections, and who waits.
    package func report(at now: Instant) -> ConnectionReport {
        let holders = lent.sorted { $0.key < $1.key }.map { _, lent in
            ConnectionReport.Holder(identifier: lent.holder, time: lent.since.duration(to: now))
        }
        return ConnectionReport(
            limit: limit, idle: idle.count, holders: holders.sorted { $0.time > $1.time },
            waiting: line.map(\.holder))
    }
}

/// Finds the connections to close because their request doesn't arrive in time.
///
/// libmicrohttpd only limits the time between two bytes, so a client could occupy a thread for hours, byte by byte.
struct ConnectionClock {
    private struct Connection {
        let socket: Int32
        /// When the request must have arrived; nil while the server works on a response.
        var deadline: ContinuousClock.Instant?
    }

    private let limits: ServerLimits
    private var connections: [Int: Connection] = [:]

    init(limits: ServerLimits) { self.limits = limits }

    /// Begins the time of a connection's first request.
    mutating func open(_ identifier: Int, socket: Int32, at now: ContinuousClock.Instant) {
        connections[identifier] = Connection(
            socket: socket, deadline: now + .seconds(limits.firstRequestTime))
    }

    /// Ends the time, because the request has arrived.
    mutating func requestArrived(_ identifier: Int) { connections[identifier]?.deadline = nil }

    /// Begins the time of the connection's next request.
    mutating func responseSent(_ identifier: Int, at now: ContinuousClock.Instant) {
        connections[identifier]?.deadline = now + .seconds(limits.nextRequestTime)
    }

    mutating func close(_ identifier: Int) { connections[identifier] = nil }

    /// Returns the sockets of the connections whose time is over, each once.
    mutating func takeLateSockets(at now: ContinuousClock.Instant) -> [Int32] {
        let late = connections.filter { $0.value.deadline.map { $0 <= now } ?? false }
        for identifier in late.keys { connections[identifier]?.deadline = nil }
        return late.values.map(\.socket)
    }
}

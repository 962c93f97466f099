/// The limits of a server, which hold for every client.
package struct ServerLimits: Sendable, Equatable {
    /// The number of connections at once, each with a thread; more wait or are closed.
    package var connectionCount = 256
    /// The size of a request's line and headers, in bytes.
    package var headerSize = 32 << 10
    /// The size of a request's body, in bytes.
    package var bodySize = 1 << 20
    /// The time in which the first request of a connection must arrive completely, in seconds.
    package var firstRequestTime = 10
    /// The time in which a later request must arrive completely, counted from the end of the one before, in seconds.
    package var nextRequestTime = 60

    package init() {}
}

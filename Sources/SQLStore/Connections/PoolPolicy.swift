package import ContextCore

/// Decides which session borrows which connection of a pool.
///
/// The pool calls these functions under its lock and carries out what they return. Programs use ``PoolState``. Tests use an
/// implementation that records the calls, and one that makes mistakes.
package protocol PoolPolicy: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Requests a connection for a session.
    mutating func request(by holder: String, at now: Instant) -> PoolState.RequestResult
    /// Replaces a borrowed connection that is dead with a new one, which the borrower opens.
    mutating func replace(_ lease: PoolState.Lease, at now: Instant) -> PoolState.Lease
    /// Returns a connection to the pool; a connection that is not fit is discarded.
    mutating func returnConnection(_ lease: PoolState.Lease, isReusable: Bool, at now: Instant)
        -> PoolState.Return
    /// Removes a waiting session from the queue.
    mutating func withdraw(_ ticket: Int)
    /// Removes and returns the idle connections that have reached their maximum age or idle time.
    mutating func removeExpired(at now: Instant) -> [Int]
    /// Closes the pool and returns the idle connections to close and the waiting sessions to wake.
    mutating func close() -> (connections: [Int], tickets: [Int])
    /// Returns which sessions hold connections and which wait.
    func report(at now: Instant) -> ConnectionReport
}

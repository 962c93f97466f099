package import ContextCore

/// Decides who is lent which of a pool's connections: what happens to a pool is told here, under the pool's lock, and the answer
/// says what to do.
///
/// Programs have ``PoolState``. Tests give a pool one that notes what it is asked, and one that makes mistakes.
package protocol ConnectionLending: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Somebody wants a connection.
    mutating func request(by holder: String, at now: Instant) -> PoolState.Answer
    /// A connection that was lent turned out to be dead: its holder makes another in its place.
    mutating func replace(_ lease: PoolState.Lease, at now: Instant) -> PoolState.Lease
    /// A connection comes back; fit for others, or not.
    mutating func giveBack(_ lease: PoolState.Lease, isFit: Bool, at now: Instant) -> PoolState.Return
    /// Somebody waits no more.
    mutating func withdraw(_ place: Int)
    /// Takes out the idle connections that are to be closed for their age.
    mutating func takeOutworn(at now: Instant) -> [Int]
    /// Ends the lending: the idle connections are to be closed, and those who wait to be told.
    mutating func close() -> (connections: [Int], places: [Int])
    /// Who has connections, and who waits.
    func report(at now: Instant) -> ConnectionReport
}

import ContextCore
import SQLStore

/// A connection to a staged store, which breaks at random, and may be left in a state in which the pool must not lend it again.
///
/// It reports to the history if the pool lends it in such a state, or to two holders.
final class StagedConnection: PooledConnection {
    /// The average number of steps of a session, and of idle times, until it breaks.
    private static let breakRate = (inUse: 100, idle: 10)
    /// The average number of rollbacks until one leaves the connection in such a state.
    private static let leavingRate = 4

    private let scheduler: SeededScheduler
    private let history: PoolHistory
    private var holder: String?
    private var isAlive = true
    private var isClean = true

    init(_ scheduler: SeededScheduler, _ history: PoolHistory) {
        self.scheduler = scheduler
        self.history = history
    }

    // MARK: For the pool

    var isReusable: Bool { isAlive && isClean }

    func isUsable(afterIdle time: Duration) -> Bool {
        SeededScheduler.pause()
        if scheduler.roll(Self.breakRate.idle) == 0 { isAlive = false }
        return isAlive
    }

    func forceClose() { isAlive = false }

    // MARK: For its holder

    /// Records that a holder has the connection.
    func begin(_ name: String) {
        if let holder { history.complain("\(name) has the connection of \(holder)") }
        if !isReusable { history.complain("\(name) has an unusable connection") }
        holder = name
    }

    /// Records that the holder returns the connection.
    func end() { holder = nil }

    /// Throws before a step if the connection has broken.
    func check() throws {
        if scheduler.roll(Self.breakRate.inUse) == 0 { isAlive = false }
        if !isAlive { throw Self.loss }
    }

    /// Rolls back, and may leave the connection in a state in which it can't be lent again.
    func undo() { if scheduler.roll(Self.leavingRate) == 0 { isClean = false } }

    static let loss = StoreError(.connectionLost, "The connection has broken.")
}

import ContextCore
import SQLStore

/// A connection to a staged store: it breaks now and then, and may be left in a state that nobody else should find it in.
///
/// It says so where somebody is lent it who must not be.
final class StagedConnection: PooledConnection {
    /// How often it breaks: once in so many steps of a session, or so many times that it was idle.
    private static let breakRate = (inUse: 100, idle: 10)
    /// How often a session that is undone leaves something behind: once in so many times.
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

    var isFit: Bool { isAlive && isClean }

    func isUsable(afterIdle time: Duration) -> Bool {
        SeededScheduler.pause()
        if scheduler.roll(Self.breakRate.idle) == 0 { isAlive = false }
        return isAlive
    }

    func hangUp() { isAlive = false }

    // MARK: For its holder

    /// Somebody has it from here on.
    func begin(_ name: String) {
        if let holder { history.complain("\(name) has the connection that \(holder) has") }
        if !isFit { history.complain("\(name) has a connection that is of no use any more") }
        holder = name
    }

    /// Its holder has it no more.
    func end() { holder = nil }

    /// Checks before a step that it has not broken.
    func check() throws {
        if scheduler.roll(Self.breakRate.inUse) == 0 { isAlive = false }
        if !isAlive { throw Self.loss }
    }

    /// A session is undone, and may leave something behind.
    func undo() { if scheduler.roll(Self.leavingRate) == 0 { isClean = false } }

    static let loss = StoreError(.connectionLost, "The connection has broken.")
}

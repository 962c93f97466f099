/// A connection to a database, as a pool has to know it.
package protocol PooledConnection: AnyObject {
    /// Whether somebody else may have it next: it is alive, and nothing is left in it of what its last holder did.
    var isFit: Bool { get }
    /// Looks whether it can still be used when it was idle for a time.
    func isUsable(afterIdle time: Duration) -> Bool
    /// Ends it, even though somebody may still remember it.
    func hangUp()
}

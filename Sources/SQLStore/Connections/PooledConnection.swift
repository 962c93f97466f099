/// A database connection that a pool can manage.
package protocol PooledConnection: AnyObject {
    /// Whether another session may borrow it: it is alive and has no state left from its last borrower.
    var isReusable: Bool { get }
    /// Whether the connection is still usable after an idle time.
    func isUsable(afterIdle time: Duration) -> Bool
    /// Closes the connection, even if there are still references to it.
    func forceClose()
}

/// A coordinator whose store says when somebody has committed something, so that others need not look for it all the time.
public protocol AnnouncingCoordinator: StoreCoordinator {
    /// Begins to call a function soon after each commit of other processes, until the store is closed.
    ///
    /// It is a doorbell: what was committed says the history. It may ring in vain, and once for many commits. While the store can't
    /// be reached it doesn't ring; as soon as it can be again it does, whatever has happened meanwhile. It returns at once, and is
    /// called once at the most.
    func announce(to listener: @escaping @Sendable () -> Void)
}

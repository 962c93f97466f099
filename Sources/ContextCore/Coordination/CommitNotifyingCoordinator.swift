/// A coordinator whose store notifies listeners of commits, so that they needn't poll.
public protocol CommitNotifyingCoordinator: StoreCoordinator {
    /// Starts to call a function soon after each commit of other processes, until the store is closed.
    ///
    /// The call carries no content: the listener reads the history. There may be calls without a commit, and one call for several
    /// commits. While the store can't be reached, there are no calls; once it can be reached again there is one, even if nothing was
    /// committed. This function returns immediately, and is called at most once.
    func notifyCommits(to listener: @escaping @Sendable () -> Void)
}

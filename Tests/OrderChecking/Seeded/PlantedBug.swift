/// A mistake in a store, or in those who use it, that breaks a promise about order.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The place in the order is taken when others have run.
    case takesTicketLate
    /// What was asked to be exclusive is not.
    case forgetsDiscipline
    /// One read more runs than may.
    case letsTooManyRead
    /// Writes that were to have one order have one each lane.
    case letsLanesRunAtOnce
    /// A write whose commit has failed is answered as if it had not.
    case swallowsCommitError
    /// A commit is made, and answered as if another transaction had got in its way; so it is made again.
    case commitsAndContends
    /// A commit is answered, and comes to nothing.
    case losesCommit
    /// A commit holds the first half of what a block has saved.
    case tearsCommit
    /// What was rolled back is committed.
    case commitsRollback
    /// What a block has left that failed stays in the commit that it shares.
    case keepsSavepoint
    /// A save doesn't look at versions.
    case dropsVersionCheck
    /// A read sees the moment before.
    case readsWhatIsOld
    /// A read sees what was committed while it ran.
    case readsWhatIsNew
    /// A read sees what is not committed.
    case readsWhatIsPending
    /// A context doesn't follow what others save.
    case missesMerges
    /// A block whose write has succeeded is run again.
    case repeatsWrite
    /// A write that was committed is answered as cancelled, when its task was.
    case answersAsCancelled
    /// A pool lends one connection more than it may.
    case lendsOneTooMany
    /// A pool lends a connection to whoever came last.
    case servesLastFirst
    /// A pool lends a connection again that nobody should have any more.
    case lendsUnfit
    /// Who doesn't wait any more keeps his place in the line of a pool, and is lent a connection.
    case keepsPlace
    /// Who waits for a connection isn't told that it is his.
    case wakesNobody
    /// Who waits for a connection isn't told that the pool is closed.
    case leavesWaiting
    /// A session that was undone keeps its connection.
    case keepsConnection
}

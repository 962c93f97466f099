/// A bug in a store, or in the program that uses it, that breaks a guarantee about order.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// An operation gets its position in the order after other tasks have run.
    case takesTicketLate
    /// The exclusive discipline is ignored.
    case forgetsDiscipline
    /// One more read than the limit runs at the same time.
    case letsTooManyRead
    /// Writes that must have one order for all lanes have one per lane.
    case letsLanesRunAtOnce
    /// A write whose commit has failed is reported as successful.
    case swallowsCommitError
    /// A successful commit is reported as contention, so the write is retried.
    case commitsAndContends
    /// A commit is reported as successful although it was rolled back.
    case losesCommit
    /// A commit contains only the first half of a block's changes.
    case tearsCommit
    /// A transaction that is rolled back is committed.
    case commitsRollback
    /// The changes of a failed block stay in the commit that it shares with other blocks.
    case keepsSavepoint
    /// A save doesn't check versions.
    case dropsVersionCheck
    /// A read has an older snapshot.
    case readsWhatIsOld
    /// A read sees changes that were committed while it ran.
    case readsWhatIsNew
    /// A read sees changes that are not committed.
    case readsWhatIsPending
    /// A context doesn't merge the changes of other saves.
    case missesMerges
    /// A block whose write has succeeded is run again.
    case repeatsWrite
    /// A committed write is reported as cancelled if its task was cancelled.
    case answersAsCancelled
    /// A pool lends one connection more than its limit.
    case lendsOneTooMany
    /// A pool serves the last request first.
    case servesLastFirst
    /// A pool lends an unusable connection again.
    case lendsUnfit
    /// A request that has stopped waiting stays in the queue of a pool, and is lent a connection.
    case keepsPlace
    /// A waiting request is not woken when its connection is free.
    case missesWakeup
    /// A waiting request is not woken when the pool is closed.
    case leavesWaiting
    /// A session that was rolled back keeps its connection.
    case keepsConnection
}

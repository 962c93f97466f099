/// A series of writes in one lane that share a transaction, a round trip or a commit.
///
/// ``SharedTransactionGroup`` serves stores with one writer, ``ConcurrentWriteGroup`` stores with concurrent writers. A write passes
/// its group to the next write together with the turn in the lane, and only the write that has the turn uses it.
protocol WriteGroup: AnyObject, Sendable {
    /// The number of its writes that have not failed.
    var count: Int { get }
    /// When its first write started.
    var began: ContinuousClock.Instant { get }
    /// How long its writes waited for other writers of the store; this time doesn't count as their own work.
    var waited: Duration { get }
    /// Whether the next write may join it.
    var isWorthJoining: Bool { get }
    /// Whether it has committed changes, or will.
    var isDirty: Bool { get }

    /// Runs the work of a write, whose changes are committed later by ``commit()``.
    ///
    /// - Parameters:
    ///   - options: The options of the write's session.
    ///   - isFollowed: Whether other writes are waiting, which could apply a deferred save.
    ///   - work: The work of the write.
    /// - Returns: The group's member with the deferred save; nil if the write has not deferred its save.
    /// - Throws: The error of the work, whose changes are rolled back.
    func perform(
        _ options: SessionOptions, hasWaitingWrites: @escaping () -> Bool,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> WriteMember?
    /// Adds a write that waits for the group's commit, and returns its waiter.
    func wait(as ticket: PipelineTicket, _ member: WriteMember?) -> OutcomeWaiter
    /// Removes the last waiting write, which commits the group itself.
    func stopWaiting()
    /// Commits the changes of all writes, and returns the outcomes of the last write and of the waiting ones.
    func commit() -> (outcome: Result<Void, any Error>, completed: [CompletedWrite])
}

/// A write's access to the session of its group.
protocol WriteShare: AnyObject {
    /// Returns the session, for requests that can't be deferred.
    func session() throws -> any WriteSession
    /// Reserves keys, which stay reserved even if the write fails.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    /// Whether the write's last save may be deferred.
    func canDeferSave(_ changes: ChangeSet) -> Bool
}

/// A write that has deferred its last save to its group.
final class WriteMember {
    let share: any WriteShare
    let work: DeferredWork
    /// The outcome of the write, if it is known before the group's commit.
    var outcome: Result<Void, any Error>?

    init(_ share: any WriteShare, _ work: DeferredWork) {
        self.share = share
        self.work = work
    }

    func publication(at token: StoreToken) -> Publication { Publication(work.published(), at: token) }
}

/// A write that waits for a commit that another write makes.
struct WaitingWrite {
    let ticket: PipelineTicket
    let commit: OutcomeWaiter
    /// Its deferred save, if any.
    let member: WriteMember?

    init(_ ticket: PipelineTicket, _ member: WriteMember?) {
        self.ticket = ticket
        self.member = member
        // A member retains its context and all of its objects; the waiter releases it on another thread.
        commit = OutcomeWaiter(retaining: member)
    }

    /// Returns the write with its outcome, which is that of the commit unless its deferred save has failed.
    func completed(after result: Result<Void, any Error>) -> CompletedWrite {
        CompletedWrite(ticket: ticket, commit: commit, outcome: member?.outcome ?? result)
    }
}

/// A waiting write and the outcome to deliver to it.
struct CompletedWrite: Sendable {
    let ticket: PipelineTicket
    let commit: OutcomeWaiter
    let outcome: Result<Void, any Error>
}

/// Writes that follow each other, each of which may leave something to the next one: what they do together is done once.
///
/// What that is depends on how many may write to a store at once. ``SharedTransaction`` serves stores with one writer,
/// ``GatheredSaves`` those with many. A group goes from one write to the next together with the turn in its lane, and only
/// whoever has the turn touches it.
protocol WriteGroup: AnyObject, Sendable {
    /// How many writes it serves that have not failed.
    var count: Int { get }
    /// When its first write began.
    var began: ContinuousClock.Instant { get }
    /// How long its writes waited for other writers of the store, which is none of their own work.
    var waited: Duration { get }
    /// Whether the next write may join it.
    var isWorthJoining: Bool { get }
    /// Whether it has committed anything, or will.
    var isDirty: Bool { get }

    /// Runs a write's work; afterwards all of it is to be committed, or was left to the group as a member's, or nothing is.
    ///
    /// - Parameter isFollowed: Whether others will come after it, so that it is worth while to leave them something.
    func perform(
        _ options: SessionOptions, isFollowed: @escaping () -> Bool,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> WriteMember?
    /// What a write waits with whose place goes to the next one before the commit.
    func wait(as ticket: PipelineTicket, _ member: WriteMember?) -> OutcomeWaiter
    /// Takes back the last waiter, whose write has kept its place.
    func stopWaiting()
    /// Commits what the writes have done, and says what became of the last one's and whom to tell.
    func commit() -> (outcome: Result<Void, any Error>, told: [ToldWrite])
}

/// A write's part in its group: what its block asks for and saves.
protocol WriteShare: AnyObject {
    /// The session, for what the write does at once.
    func session() throws -> any WriteSession
    /// Sets keys aside, which stay so whatever becomes of the write.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    /// Whether the write's last save may be left to the group.
    func mayLeave(_ changes: ChangeSet) -> Bool
}

/// A write that has left its last save to its group.
final class WriteMember {
    let share: any WriteShare
    let work: LeftWork
    /// What has become of it, once it is known before the group's commit.
    var outcome: Result<Void, any Error>?

    init(_ share: any WriteShare, _ work: LeftWork) {
        self.share = share
        self.work = work
    }

    func publication(at token: StoreToken) -> Publication { Publication(work.published(), at: token) }
}

/// A write that waits for a commit which another makes.
struct WaitingWrite {
    let ticket: PipelineTicket
    let commit: OutcomeWaiter
    /// What it has left to the group.
    let member: WriteMember?

    init(_ ticket: PipelineTicket, _ member: WriteMember?) {
        self.ticket = ticket
        self.member = member
        // A member holds its context and all objects of it.
        commit = OutcomeWaiter(keeping: member)
    }

    /// The write as one that is to be told, after a commit with some outcome.
    func told(after result: Result<Void, any Error>) -> ToldWrite {
        ToldWrite(ticket: ticket, commit: commit, outcome: member?.outcome ?? result)
    }
}

/// A write that waits to be told what has become of it.
struct ToldWrite: Sendable {
    let ticket: PipelineTicket
    let commit: OutcomeWaiter
    let outcome: Result<Void, any Error>
}

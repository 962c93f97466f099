/// Writes of a lane that follow each other and reach the store together, with one commit.
///
/// The first one works in the session's transaction itself, each later one behind a savepoint of its own: so one that fails leaves
/// nothing, and the others stay. None returns before the commit; one that throws says so at once.
// @unchecked: it goes from one write to the next together with the turn in its lane, and only whoever has the turn touches it.
final class WriteGroup: @unchecked Sendable {
    private let session: any WriteSession
    private let base: Int64
    private var publications: [Publication] = []
    private var waiting: [Waiter] = []
    /// Whether anything is to be committed.
    private(set) var isDirty = false
    /// What has broken the session, so that nothing in it can be committed.
    private var failure: (any Error)?
    /// How many writes are in it that have not failed.
    private(set) var count = 0
    /// Whether there is something to be committed, and it can be.
    var isWorthJoining: Bool { isDirty && failure == nil }
    /// When its first write began.
    let began: ContinuousClock.Instant

    init(_ session: any WriteSession, at now: ContinuousClock.Instant) {
        self.session = session
        began = now
        base = session.token.sequence
    }

    /// Runs a write's work, all of which is in the session afterwards, or nothing.
    func perform<Value>(
        _ options: SessionOptions, _ work: (any WriteSession) throws -> WriteResult<Value>
    ) throws -> Value {
        if let failure { throw failure }
        let result = count == 0 ? try work(session) : try performBehindSavepoint(options, work)
        count += 1
        if let changes = result.changes {
            isDirty = true
            publications.append(
                Publication(changes: changes.builder, token: session.token, own: changes.own))
        }
        return result.value
    }

    private func performBehindSavepoint<Value>(
        _ options: SessionOptions, _ work: (any WriteSession) throws -> WriteResult<Value>
    ) throws -> WriteResult<Value> {
        do {
            try session.beginSavepoint(options)
        } catch {
            failure = error
            throw error
        }
        do {
            let result = try work(session)
            try session.endSavepoint(keepingWork: true)
            return result
        } catch {
            undo(after: error)
            throw error
        }
    }

    /// Undoes a write's work; where that can't be, nobody's work can be kept.
    private func undo(after error: any Error) {
        do {
            try session.endSavepoint(keepingWork: false)
        } catch let consequence {
            // What the session broke of says more than that it is broken, unless it was the write's own affair.
            failure = (error as? StoreError)?.isOfTheStore == true ? error : consequence
        }
    }

    /// A write that waits for the commit, which another makes.
    struct Waiter: Sendable {
        let ticket: PipelineTicket
        let commit: OutcomeWaiter
    }

    /// What a write waits with whose place goes to the next one before the commit.
    func wait(as ticket: PipelineTicket) -> OutcomeWaiter {
        let waiter = Waiter(ticket: ticket, commit: OutcomeWaiter())
        waiting.append(waiter)
        return waiter.commit
    }

    /// Takes back the last waiter, whose write has kept its place.
    func stopWaiting() { waiting.removeLast() }

    /// Commits what the writes have done, and says what became of it and who waits to be told.
    func commit(to feed: ChangeFeed) -> (outcome: Result<Void, any Error>, waiters: [Waiter]) {
        let result = Result {
            defer { session.end() }
            if let failure { throw failure }
            if isDirty { try feed.commit(session, base: base, publications) }
        }
        return (result, waiting)
    }
}

/// What a write's work comes to.
struct WriteResult<Value> {
    let value: Value
    /// What is to be committed and published; nil where nothing was changed.
    let changes: WriteChanges?

    init(_ value: Value, _ changes: WriteChanges?) {
        self.value = value
        self.changes = changes
    }
}

/// What a write has changed, and the mailbox of whoever changed it, and knows it.
struct WriteChanges {
    let builder: StoreChangeBuilder
    var own: ChangeMailbox?
}

extension StoreError {
    /// Whether an error is about the store as a whole, and so about everybody who shares a transaction.
    fileprivate var isOfTheStore: Bool {
        [.diskFull, .inputOutput, .corrupt, .storeMoved, .connectionLost].contains(code)
    }
}

/// Writes of a lane that follow each other and reach the store together, with one commit.
///
/// The first one works in the session's transaction itself, each later one behind a savepoint of its own: so one that fails leaves
/// nothing, and the others stay. None returns before the commit; one that throws says so at once. What their last saves insert may wait
/// until somebody needs the session or the group is committed: then it is applied together, or, where anything stands in the way,
/// one by one.
// @unchecked: it goes from one write to the next together with the turn in its lane, and only whoever has the turn touches it.
final class WriteGroup: @unchecked Sendable {
    let session: any WriteSession
    private let base: Int64
    private var publications: [Publication] = []
    private var left: [Member] = []
    private var waiting: [Waiter] = []
    /// Whether anything is to be committed.
    private(set) var isDirty = false
    /// What has broken the session, so that nothing in it can be committed.
    private var failure: (any Error)?
    /// Whether whoever works in the session must be able to undo his work alone.
    private var isShared: Bool { isDirty || isSettlingOneByOne }
    private var isSettlingOneByOne = false
    /// How many writes are in it that have not failed.
    private(set) var count = 0
    /// Whether there is something to be committed, or will be.
    var hasWork: Bool { isDirty || !left.isEmpty }
    /// Whether there is something to be committed, and it can be.
    var isWorthJoining: Bool { hasWork && failure == nil }
    /// Whether last saves may be left to it.
    var gathers: Bool { gathering != nil && failure == nil }
    private let gathering: (any GatheringSession)?
    /// When its first write began.
    let began: ContinuousClock.Instant

    init(_ session: any WriteSession, at now: ContinuousClock.Instant) {
        self.session = session
        gathering = session as? any GatheringSession
        began = now
        base = session.token.sequence
    }

    // MARK: Working

    /// Runs a write's work, all of which is in the session afterwards, or is left to the group; or nothing is.
    func perform<Value>(
        _ share: WriteShare, _ work: (WriteShare) throws -> WriteResult<Value>
    ) throws -> Performed<Value> {
        if let failure { throw failure }
        do {
            let result = try work(share)
            try share.end(keepingWork: true)
            count += 1
            return Performed(value: result.value, member: note(result, share))
        } catch {
            undo(share, after: error)
            throw error
        }
    }

    /// What a write's work came to, and what it has left to the group.
    struct Performed<Value> {
        let value: Value
        let member: Member?
    }

    /// A write that has left its last save to the group.
    final class Member {
        fileprivate let share: WriteShare
        fileprivate let save: LeftSave
        fileprivate let changes: () -> WriteChanges?
        /// Why nothing of the write is in the store.
        fileprivate(set) var failure: (any Error)?

        fileprivate init(_ share: WriteShare, _ save: LeftSave, _ changes: @escaping () -> WriteChanges?) {
            self.share = share
            self.save = save
            self.changes = changes
        }
    }

    private func note<Value>(_ result: WriteResult<Value>, _ share: WriteShare) -> Member? {
        switch result.outcome {
        case .unchanged: return nil
        case .changed(let changes):
            publish(changes, at: session.token)
            return nil
        case .left(let save, let changes):
            let member = Member(share, save, changes)
            left.append(member)
            return member
        }
    }

    private func publish(_ changes: WriteChanges, at token: StoreToken) {
        isDirty = true
        publications.append(Publication(changes: changes.builder, token: token, own: changes.own))
    }

    /// Lets a write work in the session, and says whether a savepoint has to be ended for it.
    func begin(_ options: SessionOptions) throws -> Bool {
        settle(forOthers: true)
        if let failure { throw failure }
        if !isShared { return false }
        do {
            try session.beginSavepoint(options)
            return true
        } catch {
            failure = error
            throw error
        }
    }

    /// Sets keys aside without disturbing what was left.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        do {
            return try session.reserveKeys(count, rootIndex: rootIndex)
        } catch {
            if (error as? StoreError)?.isOfTheStore == true { failure = error }
            throw error
        }
    }

    /// Undoes a write's work; where that can't be, nobody's work can be kept.
    private func undo(_ share: WriteShare, after error: any Error) {
        do {
            try share.end(keepingWork: false)
        } catch let consequence {
            // What the session broke of says more than that it is broken, unless it was the write's own affair.
            failure = (error as? StoreError)?.isOfTheStore == true ? error : consequence
        }
    }

    // MARK: What was left

    /// Applies what was left, so that each write's part of it is in the session, or the write has failed.
    ///
    /// - Parameter forOthers: Whether the session is to be used by others afterwards, or was left by others.
    private func settle(forOthers: Bool) {
        let members = left
        left = []
        if members.isEmpty || members.count > 1 && applyTogether(members) { return }
        isSettlingOneByOne = forOthers || members.count > 1
        defer { isSettlingOneByOne = false }
        for member in members {
            count -= 1
            member.share.leaveToOthers()
            do {
                _ = try perform(member.share) { _ in
                    try member.save.saveAlone()
                    return WriteResult((), member.changes())
                }
            } catch {
                member.failure = error
            }
        }
    }

    /// Applies what several writes have left; false, with nothing done, where anything stands in the way.
    private func applyTogether(_ members: [Member]) -> Bool {
        do {
            guard let tokens = try gathering?.applyTogether(members.map(\.save.changes)) else { return false }
            for (member, token) in zip(members, tokens) {
                member.share.accept()
                member.save.accept()
                if let changes = member.changes() { publish(changes, at: token) }
            }
        } catch {
            failure = error
        }
        return true
    }

    // MARK: Ending

    /// A write that waits for the commit, which another makes.
    private struct Waiter {
        let ticket: PipelineTicket
        let commit: OutcomeWaiter
        /// What it has left to the group.
        let member: Member?
    }

    /// What a write waits with whose place goes to the next one before the commit.
    func wait(as ticket: PipelineTicket, _ member: Member?) -> OutcomeWaiter {
        let waiter = Waiter(ticket: ticket, commit: OutcomeWaiter(), member: member)
        waiting.append(waiter)
        return waiter.commit
    }

    /// Takes back the last waiter, whose write has kept its place.
    func stopWaiting() { waiting.removeLast() }

    /// A write that waits to be told what has become of it.
    struct Told: Sendable {
        let ticket: PipelineTicket
        let commit: OutcomeWaiter
        let outcome: Result<Void, any Error>
    }

    /// Commits what the writes have done, and says what became of it and whom to tell.
    func commit(to feed: ChangeFeed) -> (outcome: Result<Void, any Error>, told: [Told]) {
        let result = Result {
            defer { session.end() }
            settle(forOthers: !waiting.isEmpty)
            if let failure { throw failure }
            if isDirty { try feed.commit(session, base: base, publications) }
        }
        // Who waits holds what he has left, and that holds the group.
        defer { waiting = [] }
        let told = waiting.map { waiter in
            Told(
                ticket: waiter.ticket, commit: waiter.commit,
                outcome: waiter.member?.failure.map { .failure($0) } ?? result)
        }
        return (result, told)
    }

}

/// What a write's work comes to.
struct WriteResult<Value> {
    let value: Value
    let outcome: Outcome

    enum Outcome {
        case unchanged
        /// What is to be committed and published.
        case changed(WriteChanges)
        /// What is left to be applied; what it has changed is known afterwards.
        case left(LeftSave, changes: () -> WriteChanges?)
    }

    init(_ value: Value, _ changes: WriteChanges?) {
        self.value = value
        outcome = changes.map { .changed($0) } ?? .unchanged
    }

    init(_ value: Value, leaving save: LeftSave, changes: @escaping () -> WriteChanges?) {
        self.value = value
        outcome = .left(save, changes: changes)
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

/// Writes of a lane that follow each other and reach the store together, with one commit.
///
/// The first one works in the session's transaction itself, each later one behind a savepoint of its own: so one that fails leaves
/// nothing, and the others stay. None returns before the commit; one that throws says so at once. What their last saves insert may wait
/// until somebody needs the session or the group is committed: then it is applied together, or, where anything stands in the way,
/// one by one.
// @unchecked: it goes from one write to the next together with the turn in its lane, and only whoever has the turn touches it.
final class WriteGroup: @unchecked Sendable {
    let session: any WriteSession
    /// The last save that the session found; nil as long as it has not begun.
    private var base: Int64?
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
    /// Whether what is left to it can be saved without anything before and after: as long as the session has not begun.
    var savesInOneGo: Bool { late != nil && base == nil && failure == nil }
    private let gathering: (any GatheringSession)?
    /// The session, if it begins late.
    private let late: (any LateSession)?
    /// When its first write began.
    let began: ContinuousClock.Instant
    /// How long others were waited for until the session had begun late, which is no write's own doing.
    private(set) var waited = Duration.zero
    private let now: () -> ContinuousClock.Instant

    init(_ session: any WriteSession, now: @escaping () -> ContinuousClock.Instant) {
        self.session = session
        gathering = session as? any GatheringSession
        late = session as? any LateSession
        self.now = now
        began = now()
        noteBeginning()
    }

    /// The session may have begun; nothing was done in it yet.
    private func noteBeginning() {
        if base == nil, late?.hasBegun ?? true { base = session.token.sequence }
    }

    /// Lets the session begin, unless it has.
    private func open(heedsCancellation: Bool) throws {
        if base != nil { return }
        let start = now()
        defer { waited += start.duration(to: now()) }
        try late?.begin(heedsCancellation: heedsCancellation)
        noteBeginning()
    }

    // MARK: Working

    /// Runs a write's work, all of which is in the session afterwards, or is left to the group as a member's; or nothing is.
    func perform(_ share: WriteShare, _ work: (WriteShare) throws -> WriteOutcome) throws -> Member? {
        if let failure { throw failure }
        do {
            let outcome = try work(share)
            try share.end(keepingWork: true)
            count += 1
            return note(outcome, share)
        } catch {
            undo(share, after: error)
            throw error
        }
    }

    /// A write that has left its last save to the group.
    final class Member {
        fileprivate let share: WriteShare
        fileprivate let work: LeftWork
        /// Why nothing of the write is in the store.
        fileprivate(set) var failure: (any Error)?

        fileprivate init(_ share: WriteShare, _ work: LeftWork) {
            self.share = share
            self.work = work
        }

        /// All that was left is in the session, or in the store.
        fileprivate func accept() {
            share.accept()
            work.accept()
        }

        fileprivate func publication(at token: StoreToken) -> Publication {
            Publication(work.published(), at: token)
        }
    }

    private func note(_ outcome: WriteOutcome, _ share: WriteShare) -> Member? {
        switch outcome {
        case .unchanged: return nil
        case .changed(let changes):
            publish(changes, at: session.token)
            return nil
        case .left(let work):
            let member = Member(share, work)
            left.append(member)
            return member
        }
    }

    private func publish(_ changes: WriteChanges, at token: StoreToken) {
        isDirty = true
        publications.append(Publication(changes, at: token))
    }

    /// Lets a write work in the session, and says whether a savepoint has to be ended for it.
    func begin(_ options: SessionOptions) throws -> Bool {
        settle(forOthers: true)
        if let failure { throw failure }
        // Where it can't begin, nothing is broken.
        try open(heedsCancellation: options.heedsCancellation)
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
            defer { noteBeginning() }
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
            if isSettlingOneByOne { member.share.leaveToOthers() }
            do {
                _ = try perform(member.share) { _ in WriteOutcome(try member.work.saveAlone()) }
            } catch {
                member.failure = error
            }
        }
    }

    /// Applies what several writes have left; false, with nothing done, where anything stands in the way.
    private func applyTogether(_ members: [Member]) -> Bool {
        do {
            try open(heedsCancellation: false)
            guard let tokens = try gathering?.applyTogether(members.map(\.work.changes)) else { return false }
            isDirty = true
            for (member, token) in zip(members, tokens) {
                publications.append(member.publication(at: token))
                member.accept()
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
        // A member holds its context and all objects of it.
        let waiter = Waiter(ticket: ticket, commit: OutcomeWaiter(keeping: member), member: member)
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
            if try saveInOneGo(feed) { return }
            settle(forOthers: !waiting.isEmpty)
            if let failure { throw failure }
            if isDirty, let base { try feed.commit(session, base: base, publications) }
        }
        // Who waits holds what he has left, and that holds the group.
        defer { (waiting, left) = ([], []) }
        let told = waiting.map { waiter in
            Told(
                ticket: waiter.ticket, commit: waiter.commit,
                outcome: waiter.member?.failure.map { .failure($0) } ?? result)
        }
        return (result, told)
    }

    /// Saves all that was left, and commits it, before anything else was done in the session; false, with nothing done, where that can't
    /// be.
    private func saveInOneGo(_ feed: ChangeFeed) throws -> Bool {
        guard savesInOneGo, let late, !left.isEmpty else { return false }
        let isSaved = try feed.save(left.map(\.work.changes), in: late, heedsCancellation: waiting.isEmpty) {
            zip(left, $0).map { member, token in member.publication(at: token) }
        }
        guard isSaved else { return false }
        isDirty = true
        for member in left { member.accept() }
        left = []
        return true
    }
}

extension StoreError {
    /// Whether an error is about the store as a whole, and so about everybody who shares a transaction.
    fileprivate var isOfTheStore: Bool {
        [.diskFull, .inputOutput, .corrupt, .storeMoved, .connectionLost].contains(code)
    }
}

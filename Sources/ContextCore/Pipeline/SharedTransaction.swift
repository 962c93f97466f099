/// Writes that work in one transaction, in a store where one writes at a time.
///
/// The first one works in the session's transaction itself, each later one behind a savepoint of its own: so one that fails leaves
/// nothing, and the others stay. None returns before the commit; one that throws says so at once. What their last saves insert may wait
/// until somebody needs the session or the group is committed: then it is applied together, or, where anything stands in the way,
/// one by one.
// @unchecked: it goes from one write to the next together with the turn in its lane, and only whoever has the turn touches it.
final class SharedTransaction: WriteGroup, @unchecked Sendable {
    let session: any WriteSession
    /// The session, if it applies what several writes insert at once.
    private let gathering: (any GatheringSession)?
    private let feed: ChangeFeed
    /// The last transaction that the session found.
    private let base: Int64
    private var publications: [Publication] = []
    private var left: [WriteMember] = []
    private var waiting: [WaitingWrite] = []
    private(set) var isDirty = false
    /// What has broken the session, so that nothing in it can be committed.
    private var failure: (any Error)?
    private var isSettlingOneByOne = false
    private(set) var count = 0
    let began: ContinuousClock.Instant
    let waited = Duration.zero

    init(_ session: any WriteSession, _ feed: ChangeFeed, began: ContinuousClock.Instant) {
        self.session = session
        self.feed = feed
        self.began = began
        gathering = session as? any GatheringSession
        base = session.token.sequence
    }

    /// Whether there is something to be committed, or will be.
    var hasWork: Bool { isDirty || !left.isEmpty }
    var isWorthJoining: Bool { hasWork && failure == nil }
    /// Whether last saves may be left to it.
    var gathers: Bool { gathering != nil && failure == nil }
    /// Whether whoever works in the session must be able to undo his work alone.
    private var isShared: Bool { isDirty || isSettlingOneByOne }

    // MARK: Working

    func perform(
        _ options: SessionOptions, isFollowed: @escaping () -> Bool,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> WriteMember? {
        try perform(Share(self, options, isFollowed: isFollowed), work)
    }

    private func perform(_ share: Share, _ work: (any WriteShare) throws -> WriteOutcome) throws
        -> WriteMember?
    {
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

    private func note(_ outcome: WriteOutcome, _ share: Share) -> WriteMember? {
        switch outcome {
        case .unchanged: return nil
        case .changed(let changes):
            publish(changes, at: session.token)
            return nil
        case .left(let work):
            let member = WriteMember(share, work)
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
    private func undo(_ share: Share, after error: any Error) {
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
            guard let share = member.share as? Share else { continue }
            count -= 1
            if isSettlingOneByOne { share.leaveToOthers() }
            do {
                _ = try perform(share) { _ in WriteOutcome(try member.work.saveAlone()) }
            } catch {
                member.outcome = .failure(error)
            }
        }
    }

    /// Applies what several writes have left; false, with nothing done, where anything stands in the way.
    private func applyTogether(_ members: [WriteMember]) -> Bool {
        do {
            guard let tokens = try gathering?.applyTogether(members.map(\.work.changes)) else { return false }
            isDirty = true
            for (member, token) in zip(members, tokens) {
                publications.append(member.publication(at: token))
                (member.share as? Share)?.accept()
                member.work.accept()
            }
        } catch {
            failure = error
        }
        return true
    }

    // MARK: Ending

    func wait(as ticket: PipelineTicket, _ member: WriteMember?) -> OutcomeWaiter {
        waiting.append(WaitingWrite(ticket, member))
        return waiting[waiting.count - 1].commit
    }

    func stopWaiting() { waiting.removeLast() }

    func commit() -> (outcome: Result<Void, any Error>, told: [ToldWrite]) {
        let result = Result {
            defer { session.end() }
            settle(forOthers: !waiting.isEmpty)
            if let failure { throw failure }
            if isDirty { try feed.commit(session, base: base) { _ in publications } }
        }
        // Who waits holds what he has left, and that holds the group.
        defer { (waiting, left) = ([], []) }
        return (result, waiting.map { $0.told(after: result) })
    }
}

extension StoreError {
    /// Whether an error is about the store as a whole, and so about everybody who shares a transaction.
    fileprivate var isOfTheStore: Bool {
        [.diskFull, .inputOutput, .corrupt, .storeMoved, .connectionLost].contains(code)
    }
}

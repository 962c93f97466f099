/// Writes of a store that takes many writers at once: each has a transaction of its own, and what several of them insert without
/// having asked the store for anything goes there in one way.
///
/// A write that asks the store for something finds all that was saved before it was called. So what earlier ones have left is
/// committed first.
// @unchecked: it goes from one write to the next together with the turn in its lane, and only whoever has the turn touches it.
final class GatheredSaves: WriteGroup, @unchecked Sendable {
    private let coordinator: any StoreCoordinator
    private let feed: ChangeFeed
    private let now: () -> ContinuousClock.Instant
    private var left: [WriteMember] = []
    private var waiting: [WaitingWrite] = []
    /// The transaction of the last write, which is not committed yet, and what it has changed.
    private var pending: (transaction: OwnTransaction, work: PendingWork)?
    private(set) var isDirty = false
    let began: ContinuousClock.Instant
    fileprivate(set) var waited = Duration.zero

    init(
        _ coordinator: any StoreCoordinator, _ feed: ChangeFeed, now: @escaping () -> ContinuousClock.Instant
    ) {
        self.coordinator = coordinator
        self.feed = feed
        self.now = now
        began = now()
    }

    var count: Int { left.count }
    /// Only what is not in the store yet is worth waiting for.
    var isWorthJoining: Bool { !left.isEmpty }
    /// Whether blocks leave saves to it, as those do that aren't serializable.
    fileprivate var gathers: Bool { coordinator.capabilities.contains(.savesTogether) }

    // MARK: Working

    func perform(
        _ options: SessionOptions, isFollowed: @escaping () -> Bool,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> WriteMember? {
        let transaction = OwnTransaction(self, options)
        do {
            switch try work(transaction) {
            case .unchanged:
                transaction.end()
                return nil
            case .changed(let changes):
                pending = (transaction, .applied(changes))
                return nil
            case .left(let work) where transaction.opened != nil:
                pending = (transaction, .left(work))
                return nil
            case .left(let work):
                let member = WriteMember(transaction, work)
                left.append(member)
                return member
            }
        } catch {
            transaction.end()
            throw error
        }
    }

    /// Opens the session of a write that asks the store for something.
    ///
    /// - Parameter comesAfterOthers: Whether what earlier writes have left is to be in the store before.
    fileprivate func open(
        _ options: SessionOptions, afterOthers comesAfterOthers: Bool
    ) throws -> any WriteSession {
        let start = now()
        defer { waited += start.duration(to: now()) }
        if comesAfterOthers { saveWhatWasLeft() }
        return try coordinator.openWriteSession(options)
    }

    // MARK: What was left

    /// Saves and commits what was left: in one way, or, where anything stands in that, one by one.
    private func saveWhatWasLeft() {
        let members = left
        left = []
        if members.isEmpty { return }
        isDirty = true
        let isAlone = members.count == 1 && waiting.isEmpty
        do {
            if try saveTogether(members, heedsCancellation: isAlone) { return }
        } catch {
            for member in members { member.outcome = .failure(error) }
            return
        }
        for member in members {
            guard let transaction = member.share as? OwnTransaction else { continue }
            if !isAlone { transaction.leaveToOthers() }
            member.outcome = Result { try saveAlone(member.work, in: transaction) }
        }
    }

    /// Saves what writes have left; false, with nothing done, where anything stands in the way.
    private func saveTogether(_ members: [WriteMember], heedsCancellation: Bool) throws -> Bool {
        var options = SessionOptions(
            identifier: members.compactMap { ($0.share as? OwnTransaction)?.options.identifier }.first ?? "")
        options.mayBeginLate = true
        let session = try coordinator.openWriteSession(options)
        defer { session.end() }
        guard let gathering = session as? any OneTripSession else { return false }
        let isSaved = try feed.save(
            members.map(\.work.changes), in: gathering, heedsCancellation: heedsCancellation
        ) { tokens in
            zip(members, tokens).map { member, token in member.publication(at: token) }
        }
        guard isSaved else { return false }
        for member in members {
            member.work.accept()
            member.outcome = .success(())
        }
        return true
    }

    private func saveAlone(_ work: LeftWork, in transaction: OwnTransaction) throws {
        defer { transaction.end() }
        transaction.isLeft = true
        guard let changes = try work.saveAlone() else { return }
        try commit(transaction, changes)
    }

    // MARK: Ending

    func wait(as ticket: PipelineTicket, _ member: WriteMember?) -> OutcomeWaiter {
        waiting.append(WaitingWrite(ticket, member))
        return waiting[waiting.count - 1].commit
    }

    func stopWaiting() { waiting.removeLast() }

    func commit() -> (outcome: Result<Void, any Error>, told: [ToldWrite]) {
        saveWhatWasLeft()
        let outcome = Result {
            guard let (transaction, work) = pending else { return }
            defer { transaction.end() }
            switch work {
            case .applied(let changes): try commit(transaction, changes)
            case .left(let work): try commit(transaction, work)
            }
        }
        // Who waits holds what he has left, and that holds the group.
        defer { (waiting, pending) = ([], nil) }
        // One that has left nothing has nothing to wait for.
        return (outcome, waiting.map { $0.told(after: .success(())) })
    }

    /// What a write's transaction is to be committed with.
    private enum PendingWork {
        case applied(WriteChanges)
        /// Its last save is to go to the store together with the commit.
        case left(LeftWork)
    }

    private func commit(_ transaction: OwnTransaction, _ work: LeftWork) throws {
        isDirty = true
        if let session = transaction.opened as? any OneTripSession,
            try feed.commit(
                session, applying: work.changes, base: transaction.base,
                { token in [Publication(work.published(), at: token)] })
        {
            return work.accept()
        }
        if let changes = try work.saveAlone() { try commit(transaction, changes) }
    }

    private func commit(_ transaction: OwnTransaction, _ changes: WriteChanges) throws {
        // One that has only set keys aside has no session.
        guard let session = transaction.opened else { return }
        isDirty = true
        try feed.commit(session, base: transaction.base) { token in [Publication(changes, at: token)] }
    }
}

/// A write's transaction, which begins when it asks the store for something.
final class OwnTransaction: WriteShare {
    private let group: GatheredSaves
    fileprivate private(set) var options: SessionOptions
    fileprivate private(set) var opened: (any WriteSession)?
    /// The last transaction that the session has seen; nil where it must not read the history.
    fileprivate var base: Int64? {
        group.gathers && options.isolation != .serializable ? opened?.token.sequence : nil
    }
    /// Whether the group is saving what the write has left, so that it must not save what earlier writes have left.
    fileprivate var isLeft = false

    fileprivate init(_ group: GatheredSaves, _ options: SessionOptions) {
        self.group = group
        self.options = options
    }

    func session() throws -> any WriteSession {
        if let opened { return opened }
        var options = options
        // The transaction begins together with the first query.
        options.mayBeginLate = true
        let session = try group.open(options, afterOthers: !isLeft)
        opened = session
        return session
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        if let opened { return try opened.reserveKeys(count, rootIndex: rootIndex) }
        var options = options
        options.mayBeginLate = true
        let session = try group.open(options, afterOthers: false)
        // Keys stay reserved, so that the write may still be left to the group.
        defer { session.end() }
        return try session.reserveKeys(count, rootIndex: rootIndex)
    }

    func mayLeave(_ changes: ChangeSet) -> Bool {
        if !group.gathers { return false }
        if opened != nil { return LeftSave.goesWithCommit(changes) }
        return options.isolation != .serializable && LeftSave.takes(changes)
    }

    /// Somebody else does what is left of the write, who may be cancelled while the write isn't.
    fileprivate func leaveToOthers() { options.heedsCancellation = false }

    /// Ends the session; what was not committed is undone.
    fileprivate func end() { opened?.end() }
}

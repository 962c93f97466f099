/// The write group of a store with concurrent writers: each write has its own transaction, and the deferred saves of several writes
/// are committed in one round trip.
///
/// A save is deferred if it only inserts and its write has sent nothing to the store yet. A write that queries the store must see
/// everything saved before it was called, so the deferred saves of earlier writes are committed first.
// @unchecked: used only by the write that has the turn in its lane, and handed to the next write together with the turn.
final class ConcurrentWriteGroup: WriteGroup, @unchecked Sendable {
    private let coordinator: any StoreCoordinator
    private let feed: ChangeFeed
    private let now: () -> ContinuousClock.Instant
    private var deferred: [WriteMember] = []
    private var waiting: [WaitingWrite] = []
    /// The open transaction of the last write, and its changes.
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

    var count: Int { deferred.count }
    /// Only deferred saves become faster if another write joins.
    var isWorthJoining: Bool { !deferred.isEmpty }
    /// Whether the store supports deferred saves; serializable writes never defer theirs.
    fileprivate var supportsDeferredSaves: Bool { coordinator.capabilities.contains(.singleRoundTripSaves) }

    // MARK: Working

    func perform(
        _ options: SessionOptions, hasWaitingWrites: @escaping () -> Bool,
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
            case .deferred(let work) where transaction.opened != nil:
                pending = (transaction, .deferred(work))
                return nil
            case .deferred(let work):
                let member = WriteMember(transaction, work)
                deferred.append(member)
                return member
            }
        } catch {
            transaction.end()
            throw error
        }
    }

    /// Opens the session of a write.
    ///
    /// - Parameter comesAfterOthers: Whether to commit the deferred saves of earlier writes first.
    fileprivate func open(
        _ options: SessionOptions, committingEarlierSaves commitsEarlierSaves: Bool
    ) throws -> any WriteSession {
        let start = now()
        defer { waited += start.duration(to: now()) }
        if commitsEarlierSaves { commitDeferredSaves() }
        return try coordinator.openWriteSession(options)
    }

    // MARK: Deferred saves

    /// Commits the deferred saves in one round trip, or one by one if the store can't combine them.
    private func commitDeferredSaves() {
        let members = deferred
        deferred = []
        if members.isEmpty { return }
        isDirty = true
        let isAlone = members.count == 1 && waiting.isEmpty
        do {
            if try saveInOneRoundTrip(members, isCancellable: isAlone) { return }
        } catch {
            for member in members { member.outcome = .failure(error) }
            return
        }
        for member in members {
            guard let transaction = member.share as? OwnTransaction else { continue }
            if !isAlone { transaction.ignoreCancellation() }
            member.outcome = Result { try saveAlone(member.work, in: transaction) }
        }
    }

    /// Commits deferred saves in one round trip; returns false, with nothing changed, if they must be saved one by one.
    private func saveInOneRoundTrip(_ members: [WriteMember], isCancellable: Bool) throws -> Bool {
        var options = SessionOptions(
            identifier: members.compactMap { ($0.share as? OwnTransaction)?.options.identifier }.first ?? "")
        options.defersBegin = true
        let session = try coordinator.openWriteSession(options)
        defer { session.end() }
        guard let roundTripSession = session as? any SingleRoundTripSession else { return false }
        let isSaved = try feed.save(
            members.map(\.work.changes), in: roundTripSession, isCancellable: isCancellable
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

    private func saveAlone(_ work: DeferredWork, in transaction: OwnTransaction) throws {
        defer { transaction.end() }
        transaction.isApplyingDeferredSave = true
        guard let changes = try work.saveAlone() else { return }
        try commit(transaction, changes)
    }

    // MARK: Ending

    func wait(as ticket: PipelineTicket, _ member: WriteMember?) -> OutcomeWaiter {
        waiting.append(WaitingWrite(ticket, member))
        return waiting[waiting.count - 1].commit
    }

    func stopWaiting() { waiting.removeLast() }

    func commit() -> (outcome: Result<Void, any Error>, completed: [CompletedWrite]) {
        commitDeferredSaves()
        let outcome = Result {
            guard let (transaction, work) = pending else { return }
            defer { transaction.end() }
            switch work {
            case .applied(let changes): try commit(transaction, changes)
            case .deferred(let work): try commit(transaction, work)
            }
        }
        // A waiter retains its deferred save, which retains the group: this breaks the reference cycle.
        defer { (waiting, pending) = ([], nil) }
        // A waiting write without a deferred save has no changes to commit.
        return (outcome, waiting.map { $0.completed(after: .success(())) })
    }

    /// The changes that a write's transaction commits.
    private enum PendingWork {
        case applied(WriteChanges)
        /// The last save is sent to the store together with the commit.
        case deferred(DeferredWork)
    }

    private func commit(_ transaction: OwnTransaction, _ work: DeferredWork) throws {
        isDirty = true
        if let session = transaction.opened as? any SingleRoundTripSession,
            try feed.commit(
                session, applying: work.changes, base: transaction.base,
                { token in [Publication(work.published(), at: token)] })
        {
            return work.accept()
        }
        if let changes = try work.saveAlone() { try commit(transaction, changes) }
    }

    private func commit(_ transaction: OwnTransaction, _ changes: WriteChanges) throws {
        // A write that has only reserved keys has no session.
        guard let session = transaction.opened else { return }
        isDirty = true
        try feed.commit(session, base: transaction.base) { token in [Publication(changes, at: token)] }
    }
}

/// A write's transaction, which begins with its first request to the store.
final class OwnTransaction: WriteShare {
    private let group: ConcurrentWriteGroup
    fileprivate private(set) var options: SessionOptions
    fileprivate private(set) var opened: (any WriteSession)?
    /// The newest transaction visible to the session; nil if the session must not read the history.
    fileprivate var base: Int64? {
        group.supportsDeferredSaves && options.isolation != .serializable ? opened?.token.sequence : nil
    }
    /// Whether the group is applying this write's deferred save, and so must not commit the deferred saves of earlier writes.
    fileprivate var isApplyingDeferredSave = false

    fileprivate init(_ group: ConcurrentWriteGroup, _ options: SessionOptions) {
        self.group = group
        self.options = options
    }

    func session() throws -> any WriteSession {
        if let opened { return opened }
        var options = options
        // The transaction begins together with the first query.
        options.defersBegin = true
        let session = try group.open(options, committingEarlierSaves: !isApplyingDeferredSave)
        opened = session
        return session
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        if let opened { return try opened.reserveKeys(count, rootIndex: rootIndex) }
        var options = options
        options.defersBegin = true
        let session = try group.open(options, committingEarlierSaves: false)
        // Reserved keys survive the session, so the write may still defer its save.
        defer { session.end() }
        return try session.reserveKeys(count, rootIndex: rootIndex)
    }

    func canDeferSave(_ changes: ChangeSet) -> Bool {
        if !group.supportsDeferredSaves { return false }
        if opened != nil { return DeferredSave.canSendWithCommit(changes) }
        return options.isolation != .serializable && DeferredSave.canDefer(changes)
    }

    /// Ignores cancellation from now on, because another write's task, which may be cancelled, applies the deferred save.
    fileprivate func ignoreCancellation() { options.isCancellable = false }

    /// Ends the session, and rolls back uncommitted changes.
    fileprivate func end() { opened?.end() }
}

/// The write group of a store with one writer: several writes share one transaction and its commit.
///
/// The first write works directly in the transaction, and each later one opens its own savepoint, so a failed write is rolled back without
/// the others. A write returns after the commit; a failed one throws at once. Deferred saves are applied together when a write needs the
/// session or the group commits, or one by one if they can't be applied together.
// @unchecked: used only by the write that has the turn in its lane, and handed to the next write together with the turn.
final class SharedTransactionGroup: WriteGroup, @unchecked Sendable {
    let session: any WriteSession
    /// The session, if it supports applying the deferred saves of several writes together; otherwise nil.
    private let batchingSession: (any BatchingSession)?
    private let feed: ChangeFeed
    /// The newest transaction that was visible to the session when it opened.
    private let base: Int64
    private var publications: [Publication] = []
    private var deferred: [WriteMember] = []
    private var waiting: [WaitingWrite] = []
    private(set) var isDirty = false
    /// The error after which the session can't commit; nil if there was none.
    private var failure: (any Error)?
    private var isApplyingOneByOne = false
    private(set) var count = 0
    let began: ContinuousClock.Instant
    let waited = Duration.zero

    init(_ session: any WriteSession, _ feed: ChangeFeed, began: ContinuousClock.Instant) {
        self.session = session
        self.feed = feed
        self.began = began
        batchingSession = session as? any BatchingSession
        base = session.token.sequence
    }

    /// Whether there are changes to commit, or deferred saves.
    var hasWork: Bool { isDirty || !deferred.isEmpty }
    var isWorthJoining: Bool { hasWork && failure == nil }
    /// Whether writes may defer their saves.
    var supportsDeferredSaves: Bool { batchingSession != nil && failure == nil }
    /// Whether the next write needs a savepoint, because the transaction holds changes of other writes.
    private var isShared: Bool { isDirty || isApplyingOneByOne }

    // MARK: Working

    func perform(
        _ options: SessionOptions, hasWaitingWrites: @escaping () -> Bool,
        _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> WriteMember? {
        try perform(Share(self, options, hasWaitingWrites: hasWaitingWrites), work)
    }

    private func perform(_ share: Share, _ work: (any WriteShare) throws -> WriteOutcome) throws
        -> WriteMember?
    {
        if let failure { throw failure }
        do {
            let outcome = try work(share)
            try share.end(keepingWork: true)
            count += 1
            return record(outcome, share)
        } catch {
            rollBackWrite(share, after: error)
            throw error
        }
    }

    private func record(_ outcome: WriteOutcome, _ share: Share) -> WriteMember? {
        switch outcome {
        case .unchanged: return nil
        case .changed(let changes):
            publish(changes, at: session.token)
            return nil
        case .deferred(let work):
            let member = WriteMember(share, work)
            deferred.append(member)
            return member
        }
    }

    private func publish(_ changes: WriteChanges, at token: StoreToken) {
        isDirty = true
        publications.append(Publication(changes, at: token))
    }

    /// Prepares the session for a write, and returns whether it opened a savepoint that must be ended.
    func prepareSession(_ options: SessionOptions) throws -> Bool {
        applyDeferredSaves(needsSavepoints: true)
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

    /// Reserves keys without applying deferred saves.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        do {
            return try session.reserveKeys(count, rootIndex: rootIndex)
        } catch {
            if (error as? StoreError)?.concernsWholeStore == true { failure = error }
            throw error
        }
    }

    /// Rolls back a write's changes; if that fails, the whole transaction fails.
    private func rollBackWrite(_ share: Share, after error: any Error) {
        do {
            try share.end(keepingWork: false)
        } catch let consequence {
            // If the store failed first, its error is the cause of the failed rollback; an error of the write's block isn't.
            failure = (error as? StoreError)?.concernsWholeStore == true ? error : consequence
        }
    }

    // MARK: Deferred saves

    /// Applies the deferred saves to the transaction, and records the errors of those that fail.
    ///
    /// - Parameter forOthers: Whether other writes depend on the transaction, so that each save needs a savepoint.
    private func applyDeferredSaves(needsSavepoints: Bool) {
        let members = deferred
        deferred = []
        if members.isEmpty || members.count > 1 && applyBatch(members) { return }
        isApplyingOneByOne = needsSavepoints || members.count > 1
        defer { isApplyingOneByOne = false }
        for member in members {
            guard let share = member.share as? Share else { continue }
            count -= 1
            if isApplyingOneByOne { share.ignoreCancellation() }
            do {
                _ = try perform(share) { _ in WriteOutcome(try member.work.saveAlone()) }
            } catch {
                member.outcome = .failure(error)
            }
        }
    }

    /// Applies several deferred saves together; returns false, without changes, if they must be applied one by one.
    private func applyBatch(_ members: [WriteMember]) -> Bool {
        do {
            guard let tokens = try batchingSession?.applyBatch(members.map(\.work.changes)) else {
                return false
            }
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

    func commit() -> (outcome: Result<Void, any Error>, completed: [CompletedWrite]) {
        let result = Result {
            defer { session.end() }
            applyDeferredSaves(needsSavepoints: !waiting.isEmpty)
            if let failure { throw failure }
            if isDirty { try feed.commit(session, base: base) { _ in publications } }
        }
        // A waiter retains its deferred save, which retains the group: this breaks the reference cycle.
        defer { (waiting, deferred) = ([], []) }
        return (result, waiting.map { $0.completed(after: result) })
    }
}

extension StoreError {
    /// Whether the error affects the whole store, and so all writes that share a transaction.
    fileprivate var concernsWholeStore: Bool {
        [.diskFull, .inputOutput, .corrupt, .storeMoved, .connectionLost].contains(code)
    }
}

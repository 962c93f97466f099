import Foundation

/// Publishes all commits to a store: those of this process as they are made, those of other processes when they are detected.
///
/// `state` is guarded by its mutex. A commit is published after all commits that its transaction could see. Of two concurrent commits,
/// the one with the higher number may be published first.
final class ChangeFeed: Sendable {
    private struct State {
        var published = PublishedTransactions(through: 0)
        /// The numbers of the commits of this process that are in progress.
        var commits: [Int] = []
        var lastCommit = 0
        /// History that was read during commits of this process; it may include these commits, which are published separately.
        var deferred: [DeferredHistory] = []
    }

    /// History that is published after the given commits have ended.
    private struct DeferredHistory {
        let part: HistoryPart
        var pendingCommits: Set<Int>
    }

    /// A part of the history that a session has read.
    private struct HistoryPart {
        /// The transactions; nil if the history couldn't be read.
        let transactions: [HistoryTransaction]?
        /// The number up to which every transaction has ended.
        let endedThrough: Int64
    }

    private let coordinator: any StoreCoordinator
    private let identifiers: IdentifierSpaces
    private let broadcaster: ChangeBroadcaster
    private let isShared: Bool
    private let state: Guarded<State>

    /// - Parameter start: The token after which commits are published.
    init(
        _ coordinator: any StoreCoordinator, _ identifiers: IdentifierSpaces,
        _ broadcaster: ChangeBroadcaster, from start: StoreToken
    ) {
        self.coordinator = coordinator
        self.identifiers = identifiers
        self.broadcaster = broadcaster
        isShared = coordinator.capabilities.contains(.sharedByProcesses)
        var state = State()
        if isShared { state.published = PublishedTransactions(through: start.sequence) }
        self.state = Guarded(state)
    }

    /// Returns the current token of a store.
    static func start(_ coordinator: any StoreCoordinator) throws -> StoreToken {
        let session = try coordinator.openReadSession(options)
        defer { session.end() }
        return session.token
    }

    private static let options = SessionOptions(identifier: "changes of others", requiresLatest: true)

    // MARK: Commits of this process

    /// Commits a session and publishes its changes, after unpublished commits of other processes that the session could see.
    ///
    /// - Parameters:
    ///   - session: The session to commit.
    ///   - base: The number of the newest transaction that was visible to the session when it opened; nil if the session must not read the
    ///     history, because a serializable session that has read it would conflict with all concurrent writes.
    ///   - publications: Returns the changes to publish, in order, given the token of the last transaction.
    func commit(
        _ session: any WriteSession, base: Int64?, _ publications: (StoreToken) -> [Publication]
    ) throws {
        _ = try commit(session, base: base, by: session.commit, publications)
    }

    /// Applies a last change set and commits, in one round trip, and publishes all changes of the session.
    ///
    /// - Returns: Whether it has committed; if not, the session stays open without the change set.
    func commit(
        _ session: any SingleRoundTripSession, applying changes: ChangeSet, base: Int64?,
        _ publications: (StoreToken) -> [Publication]
    ) throws -> Bool {
        try commit(session, base: base, by: { try session.commit(applying: changes) }, publications)
    }

    private func commit(
        _ session: any WriteSession, base: Int64?, by work: () throws -> StoreToken?,
        _ publications: (StoreToken) -> [Publication]
    ) throws -> Bool {
        try trackingCommit {
            // The session itself reads the history if it may, because opening another session could block.
            let others = base.flatMap { unpublishedHistory(session, base: $0) }
            guard let token = try work() else { return false }
            let made = session.transactions
            publish(publications(token), made, after: base == nil ? unpublishedHistory(before: made) : others)
            return true
        }
    }

    /// Saves and commits change sets in one round trip, and publishes them.
    ///
    /// - Parameters:
    ///   - changeSets: The change sets, which only insert.
    ///   - session: The session, which has not been used yet.
    ///   - isCancellable: Whether cancelling the task ends the save.
    ///   - publications: Returns the changes to publish, given the token after each change set.
    /// - Returns: Whether the change sets were saved; if not, none was.
    func save(
        _ changeSets: [ChangeSet], in session: any SingleRoundTripSession, isCancellable: Bool,
        _ publications: ([StoreToken]) -> [Publication]
    ) throws -> Bool {
        try trackingCommit {
            guard let tokens = try session.saveInOneRoundTrip(changeSets, isCancellable: isCancellable)
            else { return false }
            publish(publications(tokens), tokens, after: unpublishedHistory(before: tokens))
            return true
        }
    }

    /// Runs a commit, during which ``poll()`` defers history that may include it.
    private func trackingCommit(_ work: () throws -> Bool) rethrows -> Bool {
        let commit = state.withLock { state in
            state.lastCommit += 1
            state.commits.append(state.lastCommit)
            return state.lastCommit
        }
        defer { endCommit(commit) }
        return try work()
    }

    /// Records that a commit has ended, and publishes history that was deferred because of it.
    private func endCommit(_ commit: Int) {
        let isFarAhead = state.withLock { state in
            state.commits.removeAll { $0 == commit }
            for place in state.deferred.indices { state.deferred[place].pendingCommits.remove(commit) }
            while let first = state.deferred.first, first.pendingCommits.isEmpty {
                publishHistory(first.part, &state)
                state.deferred.removeFirst()
            }
            return state.published.countAhead > Self.countAheadLimit
        }
        // If there are listeners, the regular polls advance the published range.
        if isFarAhead, isShared, !broadcaster.hasListeners { _ = try? poll() }
    }

    /// Publishes commits of this process, after the commits of other processes that their session could see.
    private func publish(
        _ publications: [Publication], _ transactions: [StoreToken], after others: HistoryPart?
    ) {
        state.withLock { state in
            if let others { publishHistory(others, &state) }
            // A concurrent commit of this process may have published these transactions from the history.
            guard let last = transactions.last?.sequence, !isShared || !state.published.includes(last) else {
                return
            }
            if isShared {
                for transaction in transactions { state.published.insert(transaction.sequence) }
            } else {
                state.published.advance(through: last)
            }
            // A listener that continues from a token must not miss a publication, so only the last one has the token of the end.
            for (place, publication) in publications.enumerated() {
                let number = publication.token.sequence
                let end = state.published.end
                broadcaster.publish(
                    publication.changes,
                    token: token(place == publications.count - 1 ? end : min(number, end)),
                    through: number, except: publication.own)
            }
        }
    }

    // MARK: Commits of other processes

    /// The result of a poll.
    enum PollResult {
        /// All visible commits are published, or will be when a commit of this process ends.
        case complete
        /// A part of the visible commits is published; the others wait for transactions with lower numbers to end.
        case partial
        /// No visible commit could be published, because transactions with lower numbers have not ended.
        case blocked
    }

    /// Reads commits of other processes from the history, and publishes them.
    func poll() throws -> PollResult {
        // Opened before the lock is acquired, because opening a session may block.
        let session = try coordinator.openReadSession(Self.options)
        defer { session.end() }
        let endedThrough = session.token.sequence
        let read = state.withLock { max($0.published.end, $0.deferred.last?.part.endedThrough ?? 0) }
        if endedThrough > read {
            let part = HistoryPart(transactions: history(session, after: read), endedThrough: endedThrough)
            state.withLock { state in
                if state.commits.isEmpty, state.deferred.isEmpty { return publishHistory(part, &state) }
                state.deferred.append(DeferredHistory(part: part, pendingCommits: Set(state.commits)))
            }
        }
        return session.transactionsAfterGap.isEmpty ? .complete : endedThrough > read ? .partial : .blocked
    }

    /// The number of transactions published before ones with lower numbers above which a commit polls to advance the published range.
    private static let countAheadLimit = 1000

    /// Returns the unpublished commits of other processes that a committing session could see.
    private func unpublishedHistory(_ session: any ReadSession, base: Int64) -> HistoryPart? {
        guard isShared else { return nil }
        let transactionsAfterGap = session.transactionsAfterGap.map(\.sequence)
        let (end, isPublished) = state.withLock { state in
            (
                state.published.end,
                base <= state.published.end
                    && transactionsAfterGap.allSatisfy { state.published.includes($0) }
            )
        }
        if isPublished { return nil }
        return HistoryPart(transactions: history(session, after: end), endedThrough: base)
    }

    /// Returns the unpublished commits of other processes before a commit whose session must not read the history.
    private func unpublishedHistory(before own: [StoreToken]) -> HistoryPart? {
        guard isShared, broadcaster.hasListeners, let first = own.first?.sequence,
            state.withLock({ $0.published.end }) < first - 1,
            let session = try? coordinator.openReadSession(Self.options)
        else { return nil }
        defer { session.end() }
        let end = state.withLock { $0.published.end }
        let others = history(session, after: end)?.filter { $0.token.sequence < first }
        return HistoryPart(transactions: others, endedThrough: min(session.token.sequence, first - 1))
    }

    /// Returns the transactions after a number; nil if there are no listeners or the history can't be read.
    private func history(_ session: any ReadSession, after end: Int64) -> [HistoryTransaction]? {
        guard broadcaster.hasListeners else { return nil }
        var request = HistoryRequest(after: token(end))
        request.includesGaps = true
        return try? session.history(request)
    }

    /// Publishes transactions that are not published yet, and an incomplete change for gaps in the history.
    private func publishHistory(_ part: HistoryPart, _ state: inout State) {
        for transaction in part.transactions ?? [] {
            let number = transaction.token.sequence
            if state.published.includes(number) { continue }
            publishGap(through: min(number - 1, part.endedThrough), &state)
            state.published.insert(number)
            publish(transaction, state.published)
        }
        publishGap(through: part.endedThrough, &state)
    }

    /// Publishes an incomplete change if unpublished transactions up to a number are missing from the history.
    private func publishGap(through number: Int64, _ state: inout State) {
        let end = state.published.end
        guard number > end else { return }
        let isUnknown = ((end + 1)...number).contains { !state.published.includes($0) }
        state.published.advance(through: number)
        guard isUnknown else { return }
        broadcaster.publish(
            StoreChange(
                token: token(number), through: number, contextName: nil, author: nil, effects: NetEffects(),
                isComplete: false))
    }

    private func token(_ sequence: Int64) -> StoreToken {
        StoreToken(storeID: identifiers.storeID, sequence: sequence)
    }

    private func publish(_ transaction: HistoryTransaction, _ published: PublishedTransactions) {
        var builder = StoreChangeBuilder(model: coordinator.model, identifiers: identifiers)
        builder.add(transaction)
        broadcaster.publish(builder, token: token(published.end), through: transaction.token.sequence)
    }
}

/// The changes of one write, to be published after the commit.
struct Publication {
    let changes: StoreChangeBuilder
    /// The position in the history after the changes.
    let token: StoreToken
    /// The mailbox of the context that made the changes, which isn't notified.
    let own: ChangeMailbox?

    init(_ changes: WriteChanges, at token: StoreToken) {
        self.changes = changes.builder
        self.token = token
        own = changes.own
    }
}

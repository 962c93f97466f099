import Foundation

/// Publishes what is committed to a store, whoever commits it: this process's saves as they are made, and those of other processes
/// when they are noticed.
///
/// `state` is guarded by its mutex. A save comes after all that its transaction has seen. Of two that commit at once the later one may
/// come first; the other then has a lower number and comes after it.
final class ChangeFeed: Sendable {
    private struct State {
        var told = ToldTransactions(through: 0)
        /// The commits of this process that are under way.
        var commits: [Int] = []
        var lastCommit = 0
        /// What was read while commits of this process were under way, which may be part of it and are told by themselves.
        var deferred: [DeferredNews] = []
    }

    /// What the history says, to be told once some commits have ended.
    private struct DeferredNews {
        let news: News
        var awaited: Set<Int>
    }

    /// What a session has found in the history.
    private struct News {
        /// What was committed; nil where that can't be told.
        let transactions: [HistoryTransaction]?
        /// The number up to which nothing is missing.
        let settled: Int64
    }

    private let coordinator: any StoreCoordinator
    private let identifiers: IdentifierSpaces
    private let broadcaster: ChangeBroadcaster
    private let isShared: Bool
    private let state: Guarded<State>

    /// - Parameter start: The token of the last save that isn't published.
    init(
        _ coordinator: any StoreCoordinator, _ identifiers: IdentifierSpaces,
        _ broadcaster: ChangeBroadcaster, from start: StoreToken
    ) {
        self.coordinator = coordinator
        self.identifiers = identifiers
        self.broadcaster = broadcaster
        isShared = coordinator.capabilities.contains(.sharedByProcesses)
        var state = State()
        if isShared { state.told = ToldTransactions(through: start.sequence) }
        self.state = Guarded(state)
    }

    /// The token of a store as it is now.
    static func start(_ coordinator: any StoreCoordinator) throws -> StoreToken {
        let session = try coordinator.openReadSession(options)
        defer { session.end() }
        return session.token
    }

    private static let options = SessionOptions(identifier: "changes of others", seesNewest: true)

    // MARK: Commits of this process

    /// Commits a session, and publishes what was done in it; before that, what the session has seen of others and was not told yet.
    ///
    /// - Parameters:
    ///   - base: The last transaction that the session found, up to which it may read the history; nil where it must not read that: a
    ///     serializable session that has read it would be overtaken by all others.
    ///   - publications: What was done, in order, by the token of the last transaction.
    func commit(
        _ session: any WriteSession, base: Int64?, _ publications: (StoreToken) -> [Publication]
    ) throws {
        _ = try commit(session, base: base, by: session.commit, publications)
    }

    /// Lets a session apply last changes and commit, and publishes all that was done in it.
    ///
    /// - Returns: Whether it could be done; if not, the session goes on without the changes.
    func commit(
        _ session: any OneTripSession, applying changes: ChangeSet, base: Int64?,
        _ publications: (StoreToken) -> [Publication]
    ) throws -> Bool {
        try commit(session, base: base, by: { try session.commit(applying: changes) }, publications)
    }

    private func commit(
        _ session: any WriteSession, base: Int64?, by work: () throws -> StoreToken?,
        _ publications: (StoreToken) -> [Publication]
    ) throws -> Bool {
        try committing {
            // Read by the session that commits, as far as it may: another would have to be waited for.
            let others = base.flatMap { untold(session, base: $0) }
            guard let token = try work() else { return false }
            let made = session.transactions
            publish(publications(token), made, after: base == nil ? untold(before: made) : others)
            return true
        }
    }

    /// Lets a session save and commit at once, and publishes that.
    ///
    /// - Parameter publications: Makes known what was saved, by the token after each change set.
    /// - Returns: Whether it could be done; if not, nothing was.
    func save(
        _ changeSets: [ChangeSet], in session: any OneTripSession, heedsCancellation: Bool,
        _ publications: ([StoreToken]) -> [Publication]
    ) throws -> Bool {
        try committing {
            guard let tokens = try session.saveTogether(changeSets, heedsCancellation: heedsCancellation)
            else { return false }
            publish(publications(tokens), tokens, after: untold(before: tokens))
            return true
        }
    }

    /// Commits something, of which nobody else tells meanwhile.
    private func committing(_ work: () throws -> Bool) rethrows -> Bool {
        let commit = state.withLock { state in
            state.lastCommit += 1
            state.commits.append(state.lastCommit)
            return state.lastCommit
        }
        defer { endCommit(commit) }
        return try work()
    }

    /// Tells what waited for the commit's end, too.
    private func endCommit(_ commit: Int) {
        let isMuchAhead = state.withLock { state in
            state.commits.removeAll { $0 == commit }
            for place in state.deferred.indices { state.deferred[place].awaited.remove(commit) }
            while let first = state.deferred.first, first.awaited.isEmpty {
                tell(first.news, &state)
                state.deferred.removeFirst()
            }
            return state.told.countAhead > Self.mostAhead
        }
        // Where somebody listens, it is found out anyhow which transactions have come to an end.
        if isMuchAhead, isShared, !broadcaster.hasListeners { _ = try? poll() }
    }

    /// Publishes what this process has committed, after what its session has seen of others.
    private func publish(_ publications: [Publication], _ transactions: [StoreToken], after others: News?) {
        state.withLock { state in
            if let others { tell(others, &state) }
            // Another commit of this process may have found it in the history.
            guard let last = transactions.last?.sequence, !isShared || !state.told.includes(last) else {
                return
            }
            if isShared {
                for transaction in transactions { state.told.note(transaction.sequence) }
            } else {
                state.told.settle(through: last)
            }
            // Of several the last is followed by all that was told already.
            for (place, publication) in publications.enumerated() {
                let number = publication.token.sequence
                let end = state.told.end
                broadcaster.publish(
                    publication.changes,
                    token: token(place == publications.count - 1 ? end : min(number, end)),
                    through: number, except: publication.own)
            }
        }
    }

    // MARK: Commits of others

    /// How far a look at others' commits has come.
    enum Look {
        /// All was told that is visible.
        case whole
        /// Something was told, and something is left that can't be told yet.
        case inPart
        /// Nothing was told, though something is visible.
        case held
    }

    /// Looks whether others have committed anything, and publishes it.
    func poll() throws -> Look {
        // Opened before the lock is taken, as a session may have to be waited for.
        let session = try coordinator.openReadSession(Self.options)
        defer { session.end() }
        let settled = session.token.sequence
        let read = state.withLock { max($0.told.end, $0.deferred.last?.news.settled ?? 0) }
        if settled > read {
            let news = News(transactions: history(session, after: read), settled: settled)
            state.withLock { state in
                if state.commits.isEmpty, state.deferred.isEmpty { return tell(news, &state) }
                state.deferred.append(DeferredNews(news: news, awaited: Set(state.commits)))
            }
        }
        return session.unsettled.isEmpty ? .whole : settled > read ? .inPart : .held
    }

    /// How many transactions are noted one by one that were told before others with lower numbers.
    private static let mostAhead = 1000

    /// What a session that is about to commit has seen of others and was not told yet.
    private func untold(_ session: any ReadSession, base: Int64) -> News? {
        guard isShared else { return nil }
        let unsettled = session.unsettled.map(\.sequence)
        let (end, isTold) = state.withLock { state in
            (state.told.end, base <= state.told.end && unsettled.allSatisfy { state.told.includes($0) })
        }
        if isTold { return nil }
        return News(transactions: history(session, after: end), settled: base)
    }

    /// What others have committed before a commit that had not asked for it, and was not told yet.
    private func untold(before own: [StoreToken]) -> News? {
        guard isShared, broadcaster.hasListeners, let first = own.first?.sequence,
            state.withLock({ $0.told.end }) < first - 1,
            let session = try? coordinator.openReadSession(Self.options)
        else { return nil }
        defer { session.end() }
        let end = state.withLock { $0.told.end }
        let others = history(session, after: end)?.filter { $0.token.sequence < first }
        return News(transactions: others, settled: min(session.token.sequence, first - 1))
    }

    /// What was committed since some transaction; nil where that can't be told, or nobody wants to know.
    private func history(_ session: any ReadSession, after end: Int64) -> [HistoryTransaction]? {
        guard broadcaster.hasListeners else { return nil }
        var request = HistoryRequest(after: token(end))
        request.isForFeed = true
        return try? session.history(request)
    }

    /// Tells of transactions that were not told yet, and that it is not known what was done where the history doesn't say so.
    private func tell(_ news: News, _ state: inout State) {
        for transaction in news.transactions ?? [] {
            let number = transaction.token.sequence
            if state.told.includes(number) { continue }
            tellUnknown(through: min(number - 1, news.settled), &state)
            state.told.note(number)
            publish(transaction, state.told)
        }
        tellUnknown(through: news.settled, &state)
    }

    /// Tells that something was committed of which the history says nothing, if there is anything up to a number.
    private func tellUnknown(through number: Int64, _ state: inout State) {
        let end = state.told.end
        guard number > end else { return }
        let isUnknown = ((end + 1)...number).contains { !state.told.includes($0) }
        state.told.settle(through: number)
        guard isUnknown else { return }
        broadcaster.publish(
            StoreChange(
                token: token(number), through: number, contextName: nil, author: nil, effects: NetEffects(),
                isComplete: false))
    }

    private func token(_ sequence: Int64) -> StoreToken {
        StoreToken(storeID: identifiers.storeID, sequence: sequence)
    }

    private func publish(_ transaction: HistoryTransaction, _ told: ToldTransactions) {
        var builder = StoreChangeBuilder(model: coordinator.model, identifiers: identifiers)
        builder.add(transaction)
        broadcaster.publish(builder, token: token(told.end), through: transaction.token.sequence)
    }
}

/// One write's changes, to be published when they are committed.
struct Publication {
    let changes: StoreChangeBuilder
    /// The moment right after them.
    let token: StoreToken
    /// The mailbox of whoever made the changes, and knows them.
    let own: ChangeMailbox?

    init(_ changes: WriteChanges, at token: StoreToken) {
        self.changes = changes.builder
        self.token = token
        own = changes.own
    }
}

import Foundation

/// Publishes what is committed to a store, whoever commits it: this process's saves as they are made, and those of other processes
/// when they are noticed.
///
/// `state` is guarded by its mutex. What others have committed is not looked for as long as this process commits something, so that none
/// of its saves is taken for another's. Of two that commit at once the later one may be told first, and then tells of both; the
/// earlier one finds that it was told.
final class ChangeFeed: Sendable {
    private struct State {
        /// The last transaction that was published.
        var last: Int64
        /// How many of this process are committing.
        var committing = 0
    }

    private let coordinator: any StoreCoordinator
    private let identifiers: IdentifierSpaces
    private let broadcaster: ChangeBroadcaster
    private let isShared: Bool
    private let state: Guarded<State>

    init(
        _ coordinator: any StoreCoordinator, _ identifiers: IdentifierSpaces, _ broadcaster: ChangeBroadcaster
    ) throws {
        self.coordinator = coordinator
        self.identifiers = identifiers
        self.broadcaster = broadcaster
        isShared = coordinator.capabilities.contains(.sharedByProcesses)
        state = Guarded(State(last: 0))
        guard isShared else { return }
        let session = try coordinator.openReadSession(Self.options)
        defer { session.end() }
        let last = session.token.sequence
        state.withLock { $0.last = last }
    }

    private static let options = SessionOptions(identifier: "changes of others", seesNewest: true)

    private var last: Int64 { state.withLock { $0.last } }

    /// Commits a session, and publishes what was done in it; before that, what others have committed since the last time.
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
        let last = beginCommit()
        defer { endCommit() }
        // Read by the session that commits: waiting for another one here would keep others from committing.
        let unread = base.flatMap { isShared && $0 > last ? $0 : nil }
        let others = unread == nil ? nil : history(session, after: last)
        let applied = session.transactionCount
        guard let token = try work() else { return false }
        // What it applied last, together with the commit, counts too.
        let count = Int64(max(applied, session.transactionCount))
        if let unread { publish(others, through: unread) }
        publish(publications(token), from: token.sequence - count + 1, through: token.sequence)
        return true
    }

    /// Lets a session save and commit at once, and publishes that; before that, what others have committed since the last time.
    ///
    /// - Parameter publications: Makes known what was saved, by the token after each change set.
    /// - Returns: Whether it could be done; if not, nothing was.
    func save(
        _ changeSets: [ChangeSet], in session: any OneTripSession, heedsCancellation: Bool,
        _ publications: ([StoreToken]) -> [Publication]
    ) throws -> Bool {
        _ = beginCommit()
        defer { endCommit() }
        guard let tokens = try session.saveTogether(changeSets, heedsCancellation: heedsCancellation),
            let first = tokens.first, let newest = tokens.last
        else { return false }
        publish(publications(tokens), from: first.sequence, through: newest.sequence)
        return true
    }

    private func beginCommit() -> Int64 {
        state.withLock { state in
            state.committing += 1
            return state.last
        }
    }

    private func endCommit() { state.withLock { $0.committing -= 1 } }

    /// Publishes what this process has committed, after what others have committed before it that was not published yet.
    private func publish(_ publications: [Publication], from first: Int64, through newest: Int64) {
        if isShared, first - 1 > last { publish(historyOfOthers(), through: first - 1) }
        state.withLock { state in
            // Another commit of this process has told of it.
            if isShared, newest <= state.last, first <= newest { return }
            state.last = max(state.last, newest)
            for publication in publications { publish(publication) }
        }
    }

    /// What was committed since the last time, read by a session of its own: it needn't wait for whoever writes.
    private func historyOfOthers() -> [HistoryTransaction]? {
        guard broadcaster.hasListeners, let session = try? coordinator.openReadSession(Self.options) else {
            return nil
        }
        defer { session.end() }
        return history(session, after: last)
    }

    private func publish(_ publication: Publication) {
        broadcaster.publish(publication.changes, token: publication.token, except: publication.own)
    }

    /// Looks whether others have committed anything, and publishes it; false where a commit is under way, which does so too.
    func poll() throws -> Bool {
        // Opened before the lock is taken, as a session may have to be waited for.
        let session = try coordinator.openReadSession(Self.options)
        defer { session.end() }
        let newest = session.token.sequence
        let transactions = newest > last ? history(session, after: last) : nil
        return state.withLock { state in
            if state.committing > 0 { return false }
            publish(transactions, through: newest, &state)
            return true
        }
    }

    /// What was committed since some transaction; nil where that can't be told, or nobody wants to know.
    private func history(_ session: any ReadSession, after last: Int64) -> [HistoryTransaction]? {
        broadcaster.hasListeners ? try? session.history(HistoryRequest(after: token(last))) : nil
    }

    private func publish(_ transactions: [HistoryTransaction]?, through newest: Int64) {
        state.withLock { publish(transactions, through: newest, &$0) }
    }

    /// Publishes what others have committed up to a transaction; that it is not known what they did, where there is no history.
    private func publish(_ transactions: [HistoryTransaction]?, through newest: Int64, _ state: inout State) {
        guard newest > state.last else { return }
        defer { state.last = newest }
        var told = state.last
        for transaction in transactions ?? []
        where transaction.token.sequence > told && transaction.token.sequence <= newest {
            // A gap is a transaction of which the history says nothing.
            if transaction.token.sequence > told + 1 { publishUnknown(transaction.token.sequence - 1) }
            publish(transaction)
            told = transaction.token.sequence
        }
        if told < newest { publishUnknown(newest) }
    }

    private func token(_ sequence: Int64) -> StoreToken {
        StoreToken(storeID: identifiers.storeID, sequence: sequence)
    }

    private func publish(_ transaction: HistoryTransaction) {
        var builder = StoreChangeBuilder(model: coordinator.model, identifiers: identifiers)
        builder.add(transaction)
        broadcaster.publish(builder, token: transaction.token)
    }

    private func publishUnknown(_ sequence: Int64) {
        broadcaster.publish(
            StoreChange(
                token: token(sequence), contextName: nil, author: nil, effects: NetEffects(),
                isComplete: false))
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

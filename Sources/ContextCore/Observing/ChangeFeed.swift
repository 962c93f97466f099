import Foundation

/// Publishes what is committed to a store, whoever commits it: this process's saves as they are made, and those of other processes
/// when they are noticed.
///
/// State, all guarded by `lock`: the last transaction that was published. The lock is held from before a commit until it is
/// published, so that nobody takes one of this process's saves for another's.
// @unchecked: see above.
final class ChangeFeed: @unchecked Sendable {
    private let coordinator: any StoreCoordinator
    private let identifiers: IdentifierSpaces
    private let broadcaster: ChangeBroadcaster
    private let isShared: Bool
    private let lock = NSLock()
    private var last: Int64

    init(
        _ coordinator: any StoreCoordinator, _ identifiers: IdentifierSpaces, _ broadcaster: ChangeBroadcaster
    ) throws {
        self.coordinator = coordinator
        self.identifiers = identifiers
        self.broadcaster = broadcaster
        isShared = coordinator.capabilities.contains(.sharedByProcesses)
        last = 0
        guard isShared else { return }
        let session = try coordinator.openReadSession(Self.options)
        defer { session.end() }
        last = session.token.sequence
    }

    private static let options = SessionOptions(identifier: "changes of others", seesNewest: true)

    /// Commits a session, and publishes what was done in it; before that, what others have committed since the last time.
    ///
    /// - Parameters:
    ///   - base: The last transaction that the session found.
    ///   - publications: What was done, in order.
    func commit(_ session: any WriteSession, base: Int64, _ publications: [Publication]) throws {
        lock.lock()
        defer { lock.unlock() }
        // Read by the session that commits: waiting for another one here would keep everybody from committing.
        let others = isShared && base > last ? history(session) : nil
        let token = try session.commit()
        if isShared { publish(others, through: base) }
        last = max(last, token.sequence)
        for publication in publications { publish(publication) }
    }

    /// Lets a session that has not begun save and commit at once, and publishes that; before that, what others have committed since the
    /// last time.
    ///
    /// - Parameter publications: Makes known what was saved, by the token after each change set.
    /// - Returns: Whether it could be done; if not, nothing was.
    func save(
        _ changeSets: [ChangeSet], in session: any LateSession, heedsCancellation: Bool,
        _ publications: ([StoreToken]) -> [Publication]
    ) throws -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard let tokens = try session.saveTogether(changeSets, heedsCancellation: heedsCancellation),
            let first = tokens.first, let newest = tokens.last
        else { return false }
        let base = first.sequence - 1
        if isShared, base > last { publish(historyOfOthers(), through: base) }
        last = max(last, newest.sequence)
        for publication in publications(tokens) { publish(publication) }
        return true
    }

    /// What was committed since the last time, read by a session of its own: it needn't wait for whoever writes.
    private func historyOfOthers() -> [HistoryTransaction]? {
        guard broadcaster.hasListeners, let session = try? coordinator.openReadSession(Self.options) else {
            return nil
        }
        defer { session.end() }
        return history(session)
    }

    private func publish(_ publication: Publication) {
        broadcaster.publish(publication.changes, token: publication.token, except: publication.own)
    }

    /// Looks whether others have committed anything, and publishes it; false where a commit is under way, which does so too.
    func poll() throws -> Bool {
        // Opened before the lock is taken, as a session may have to be waited for.
        let session = try coordinator.openReadSession(Self.options)
        defer { session.end() }
        // Whoever commits may need a session that this one keeps from him.
        guard lock.try() else { return false }
        defer { lock.unlock() }
        let newest = session.token.sequence
        if newest > last { publish(history(session), through: newest) }
        return true
    }

    /// What was committed since the last time; nil where that can't be told, or nobody wants to know.
    private func history(_ session: any ReadSession) -> [HistoryTransaction]? {
        broadcaster.hasListeners ? try? session.history(HistoryRequest(after: token(last))) : nil
    }

    /// Publishes what others have committed up to a transaction; that it is not known what they did, where there is no history.
    private func publish(_ transactions: [HistoryTransaction]?, through newest: Int64) {
        guard newest > last else { return }
        defer { last = newest }
        var told = last
        for transaction in transactions ?? [] where transaction.token.sequence <= newest {
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

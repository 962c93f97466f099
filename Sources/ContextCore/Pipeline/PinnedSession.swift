import Foundation

/// A read session that a pinned context keeps open, so that it sees one snapshot of the store.
// @unchecked: the session is used and ended within turns of the pipeline, of which its context has one at a time, or when the store
// closes, when nothing else runs.
final class PinnedSession: @unchecked Sendable {
    let session: any ReadSession

    init(_ coordinator: any StoreCoordinator, name: String) throws {
        // A context's block runs whether or not its task is cancelled, and the session outlives the task.
        var options = SessionOptions(identifier: name, isCancellable: false)
        options.isHeld = true
        options.defersExternalValues = true
        var session = try coordinator.openReadSession(options)
        // The context must see exactly the changes published up to the session's token. While transactions with lower numbers are still
        // committing, the session sees more than that; so it is reopened, up to 20 times.
        for _ in 0..<Self.mostTries where !session.unsettled.isEmpty {
            session.end()
            Thread.sleep(forTimeInterval: 0.005)
            session = try coordinator.openReadSession(options)
        }
        self.session = session
    }

    private static let mostTries = 20
}

/// The sessions that pinned contexts hold, so that closing the store can end them.
///
/// `sessions` is guarded by its mutex.
final class PinnedSessions: Sendable {
    private let sessions = Guarded<[ObjectIdentifier: PinnedSession]>([:])

    func add(_ moment: PinnedSession) { sessions.withLock { $0[ObjectIdentifier(moment)] = moment } }

    /// Ends a session, unless closing the store has ended it.
    func end(_ moment: PinnedSession) {
        if sessions.withLock({ $0.removeValue(forKey: ObjectIdentifier(moment)) }) != nil {
            moment.session.end()
        }
    }

    func endAll() {
        let all = sessions.withLock { sessions in
            defer { sessions = [:] }
            return sessions.values.map { $0 }
        }
        for moment in all { moment.session.end() }
    }
}

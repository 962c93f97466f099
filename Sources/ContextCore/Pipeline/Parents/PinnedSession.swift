import Foundation

/// The read session of a pinned context, which stays open so that the context sees one snapshot of the store.
// @unchecked: the session is used and ended by the context's operations, which run one at a time, or when the store closes and no
// operation runs.
final class PinnedSession: @unchecked Sendable {
    let session: any ReadSession

    init(_ coordinator: any StoreCoordinator, name: String) throws {
        // A context's block runs whether or not its task is cancelled, and the session outlives the task.
        var options = SessionOptions(identifier: name, isCancellable: false)
        options.isPinned = true
        options.defersExternalValues = true
        var session = try coordinator.openReadSession(options)
        // The context must see exactly the changes published up to the session's token. While transactions with lower numbers are still
        // committing, the session sees more than that; so it is reopened, up to 20 times.
        for _ in 0..<Self.attemptLimit where !session.transactionsAfterGap.isEmpty {
            session.end()
            Thread.sleep(forTimeInterval: 0.005)
            session = try coordinator.openReadSession(options)
        }
        self.session = session
    }

    private static let attemptLimit = 20
}

/// The open sessions of pinned contexts, which end when the store closes.
///
/// `sessions` is guarded by its mutex.
final class PinnedSessions: Sendable {
    private let sessions = Guarded<[ObjectIdentifier: PinnedSession]>([:])

    func add(_ pinnedSession: PinnedSession) {
        sessions.withLock { $0[ObjectIdentifier(pinnedSession)] = pinnedSession }
    }

    /// Ends a session, unless it has ended because the store was closed.
    func endSession(_ pinnedSession: PinnedSession) {
        if sessions.withLock({ $0.removeValue(forKey: ObjectIdentifier(pinnedSession)) }) != nil {
            pinnedSession.session.end()
        }
    }

    func endAllSessions() {
        let all = sessions.withLock { sessions in
            defer { sessions = [:] }
            return sessions.values.map { $0 }
        }
        for pinnedSession in all { pinnedSession.session.end() }
    }
}

import Foundation

/// A session that a pinned context keeps open, so that it sees one moment of the store.
// @unchecked: the session is used and ended within turns of the pipeline, of which its context has one at a time, and when the
// store is closed, which nothing runs beside.
final class HeldMoment: @unchecked Sendable {
    let session: any ReadSession

    init(_ coordinator: any StoreCoordinator, name: String) throws {
        // A context's block runs whether or not its task is cancelled, and the session outlives the task.
        var options = SessionOptions(identifier: name, heedsCancellation: false)
        options.isHeld = true
        options.defersExternalValues = true
        var session = try coordinator.openReadSession(options)
        // What is told up to the session's token is all that it may see. It sees more for as long as somebody commits.
        for _ in 0..<Self.mostTries where !session.unsettled.isEmpty {
            session.end()
            Thread.sleep(forTimeInterval: 0.005)
            session = try coordinator.openReadSession(options)
        }
        self.session = session
    }

    private static let mostTries = 20
}

/// The moments that pinned contexts hold, so that none is left when the store is closed.
///
/// `moments` is guarded by its mutex.
final class HeldMoments: Sendable {
    private let moments = Guarded<[ObjectIdentifier: HeldMoment]>([:])

    func add(_ moment: HeldMoment) { moments.withLock { $0[ObjectIdentifier(moment)] = moment } }

    /// Ends a moment, unless the store has been closed before.
    func end(_ moment: HeldMoment) {
        if moments.withLock({ $0.removeValue(forKey: ObjectIdentifier(moment)) }) != nil {
            moment.session.end()
        }
    }

    func endAll() {
        let all = moments.withLock { moments in
            defer { moments = [:] }
            return moments.values.map { $0 }
        }
        for moment in all { moment.session.end() }
    }
}

import Foundation

// Who follows the history from outside: a search index, a replica, a mail sender.
extension Store {
    /// What names a consumer among the store's notes.
    private static let consumerPrefix = "history.consumer."

    /// The registered consumers of the history, each with the moment up to which it has read.
    public func historyConsumers() async throws -> [String: StoreToken] {
        let info = try await allNotes()
        return Dictionary(
            uniqueKeysWithValues: Self.consumers(in: info).map {
                ($0, StoreToken(storeID: pipeline.identifiers.storeID, sequence: $1))
            })
    }

    /// Notes that a consumer has read the history up to a moment, and registers it if it is new.
    ///
    /// The store keeps that, so a consumer goes on where it was after a restart:
    ///
    /// ```swift
    /// let last = try await store.historyConsumers()["search index"]
    /// for transaction in try await store.history(after: last) {
    ///     index.update(transaction.changes)
    ///     try await store.noteHistory(isReadThrough: transaction.token, by: "search index")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The last transaction that it has read.
    ///   - consumer: Its name.
    /// - Throws: ``StoreError/Code/historyExpired`` where the token is of another store.
    public func noteHistory(isReadThrough token: StoreToken, by consumer: String) async throws {
        try token.check(isOf: pipeline.identifiers.storeID)
        try await changeNotes("history consumer") { $0[Self.consumerPrefix + consumer] = "\(token.sequence)" }
    }

    /// Forgets a consumer, so that nothing is kept for it any more.
    public func removeHistoryConsumer(_ consumer: String) async throws {
        try await changeNotes("history consumer") { $0[Self.consumerPrefix + consumer] = nil }
    }

    /// Forgets what a policy does not keep: those who have not read it by then are told that it has expired.
    ///
    /// - Returns: The moment that the history begins after; nil where nothing was to be forgotten.
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/history``.
    @discardableResult
    public func pruneHistory(keeping retention: HistoryRetention) async throws -> StoreToken? {
        guard capabilities.contains(.history) else {
            throw StoreError(.unsupportedRequest, "This store keeps no history.")
        }
        return try await writeNotes("prune history") { session, storeID in
            let consumers = Self.consumers(in: try session.userInfo()).values
            let last = try retention.lastForgotten(session, consumers: Array(consumers), now: .now)
            if last == 0 { return nil }
            let token = StoreToken(storeID: storeID, sequence: last)
            try session.pruneHistory(through: token)
            return token
        }
    }

    // MARK: Notes

    /// Notes what the program wants to know about the store, in place of what was noted before.
    public func setUserInfo(_ userInfo: [String: String]) async throws {
        try await changeNotes("user info") { notes in
            notes = Self.withoutConsumers(userInfo).merging(notes.filter { Self.isOfConsumer($0.key) }) { $1 }
        }
    }

    /// What a program has noted, without what the store notes itself.
    static func withoutConsumers(_ notes: [String: String]) -> [String: String] {
        notes.filter { !isOfConsumer($0.key) }
    }

    private static func isOfConsumer(_ name: String) -> Bool { name.hasPrefix(consumerPrefix) }

    private static func consumers(in notes: [String: String]) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: notes.compactMap { name, value in
                guard isOfConsumer(name), let sequence = Int64(value) else { return nil }
                return (String(name.dropFirst(consumerPrefix.count)), sequence)
            })
    }

    private func allNotes() async throws -> [String: String] {
        let coordinator = pipeline.coordinator
        return try await pipeline.read(OperationLabel(kind: .read, identifier: "metadata")) {
            try coordinator.metadata().userInfo
        }
    }

    private func changeNotes(
        _ name: String, _ change: @Sendable (inout [String: String]) -> Void
    ) async throws {
        try await writeNotes(name) { session, _ in
            var notes = try session.userInfo()
            change(&notes)
            try session.setUserInfo(notes)
        }
    }

    /// Works in the lane of the writes, and changes nothing that is told to those who listen for objects.
    private func writeNotes<Value: Sendable>(
        _ name: String, _ work: @Sendable (any WriteSession, UUID) throws -> Value
    ) async throws -> Value {
        try await pipeline.write(OperationLabel(kind: .write, identifier: name)) { [pipeline] session in
            let value = try work(session, pipeline.identifiers.storeID)
            let none = StoreChangeBuilder(
                model: pipeline.coordinator.model, identifiers: pipeline.identifiers)
            return WriteResult(value, WriteChanges(builder: none))
        }
    }
}

import Foundation

// Who follows the history from outside: a search index, a replica, a mail sender.
extension Store {
    /// The registered consumers of the history, each with the moment up to which it has read.
    public func historyConsumers() async throws -> [String: StoreToken] {
        let info = try await allNotes()
        return Dictionary(
            uniqueKeysWithValues: HistoryConsumers.sequences(in: info).map {
                ($0, StoreToken(storeID: pipeline.identifiers.storeID, sequence: $1))
            })
    }

    /// Registers a consumer, and answers the moment that it goes on after: the one that it has noted last.
    ///
    /// From then on nothing that it has not read is forgotten by ``pruneHistory(keeping:)``. A new consumer begins at the present
    /// moment: what the store holds already it fetches after it has registered. What is saved in between comes with the fetch and with the
    /// history.
    ///
    /// ```swift
    /// var last = try await store.registerHistoryConsumer("search index")
    /// for transaction in try await store.history(after: last) {
    ///     index.update(transaction.changes)
    ///     last = transaction.token
    /// }
    /// try await store.noteHistory(isReadThrough: last, by: "search index")
    /// ```
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/history``.
    public func registerHistoryConsumer(_ consumer: String) async throws -> StoreToken {
        try requireHistory()
        return try await writeNotes("history consumer") { session, storeID in
            var notes = try session.userInfo()
            if let known = HistoryConsumers.sequences(in: notes)[consumer] {
                return StoreToken(storeID: storeID, sequence: known)
            }
            notes[HistoryConsumers.prefix + consumer] = "\(session.token.sequence)"
            try session.setUserInfo(notes)
            return session.token
        }
    }

    /// Notes that a consumer has read the history up to a moment.
    ///
    /// The store keeps that, so a consumer goes on where it was after a restart. A moment before the one that it has noted already changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - token: The last transaction that it has read.
    ///   - consumer: Its name; one that isn't registered is from then on.
    /// - Throws: ``StoreError/Code/historyExpired`` where the token is of another store, ``StoreError/Code/unsupportedRequest`` where it
    ///   is of no moment that has been.
    public func noteHistory(isReadThrough token: StoreToken, by consumer: String) async throws {
        try requireHistory()
        try token.check(isOf: pipeline.identifiers.storeID)
        try await writeNotes("history consumer") { session, _ in
            guard token.sequence <= session.token.sequence else {
                throw StoreError(
                    .unsupportedRequest, "“\(consumer)” can't have read what was not saved yet.",
                    remedy: "Note the token of a transaction that the history has answered.")
            }
            var notes = try session.userInfo()
            if let known = HistoryConsumers.sequences(in: notes)[consumer], known >= token.sequence { return }
            notes[HistoryConsumers.prefix + consumer] = "\(token.sequence)"
            try session.setUserInfo(notes)
        }
    }

    private func requireHistory() throws(StoreError) {
        if capabilities.contains(.history) { return }
        throw StoreError(.unsupportedRequest, "This store keeps no history.")
    }

    /// Forgets a consumer, so that nothing is kept for it any more.
    public func removeHistoryConsumer(_ consumer: String) async throws {
        try await writeNotes("history consumer") { session, _ in
            var notes = try session.userInfo()
            notes[HistoryConsumers.prefix + consumer] = nil
            try session.setUserInfo(notes)
        }
    }

    /// Forgets what a policy does not keep: those who have not read it by then are told that it has expired.
    ///
    /// - Returns: The moment that the history begins after; nil where nothing was to be forgotten.
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/history``.
    @discardableResult
    public func pruneHistory(keeping retention: HistoryRetention) async throws -> StoreToken? {
        try requireHistory()
        return try await writeNotes("prune history") { session, storeID in
            let consumers = HistoryConsumers.sequences(in: try session.userInfo()).values
            let last = try retention.lastForgotten(session, consumers: Array(consumers), now: .now)
            let oldest = try session.history(HistoryRequest(limit: 1).withoutChanges).first
            guard let oldest, oldest.token.sequence <= last else { return nil }
            let token = StoreToken(storeID: storeID, sequence: last)
            try session.pruneHistory(through: token)
            return token
        }
    }

    // MARK: Notes

    /// Notes what the program wants to know about the store, in place of what was noted before.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` for a name that begins with `history.consumer.`, which is the store's own.
    public func setUserInfo(_ userInfo: [String: String]) async throws {
        if let taken = userInfo.keys.first(where: HistoryConsumers.isNote) {
            throw StoreError(
                .unsupportedRequest, "“\(taken)” is the name of a note of the store's own.",
                remedy: "Choose a name that doesn't begin with “\(HistoryConsumers.prefix)”.")
        }
        try await writeNotes("user info") { session, _ in
            try session.replaceProgramNotes(by: userInfo)
        }
    }

    private func allNotes() async throws -> [String: String] {
        let coordinator = pipeline.coordinator
        return try await pipeline.read(OperationLabel(kind: .read, identifier: "metadata")) {
            try coordinator.metadata().userInfo
        }
    }

    /// Works in the lane of the writes, and changes nothing that is told to those who listen for objects.
    func writeNotes<Value: Sendable>(
        _ name: String, _ work: @Sendable (any WriteSession, UUID) throws -> Value
    ) async throws -> Value {
        let value = BlockValue<Value>()
        let label = OperationLabel(kind: .write, identifier: name)
        let repetition = Repetition(pipeline, label, limit: nil, after: Repetition.transient)
        try await repetition.run { label in
            try await pipeline.write(label) { [pipeline] share in
                value.keep(try work(share.session(), pipeline.identifiers.storeID))
                let none = StoreChangeBuilder(
                    model: pipeline.coordinator.model, identifiers: pipeline.identifiers)
                return .changed(WriteChanges(builder: none))
            }
        }
        return value.get()
    }
}

import Foundation

// Consumers of the history outside the store, such as a search index, a replica or a mailer.
extension Store {
    /// Returns the registered consumers of the history by name, each with the token up to which it has read.
    public func historyConsumers() async throws -> [String: StoreToken] {
        let info = try await allMetadata()
        return Dictionary(
            uniqueKeysWithValues: HistoryConsumers.sequences(in: info).map {
                ($0, StoreToken(storeID: pipeline.identifiers.storeID, sequence: $1))
            })
    }

    /// Registers a consumer of the history, and returns the token after which it continues: the last one that it has acknowledged.
    ///
    /// From then on ``pruneHistory(keeping:)`` doesn't delete transactions that the consumer has not read. A new consumer starts at the
    /// current end of the history, so fetch the objects that the store already contains after registering. Saves in between appear both in
    /// the fetch and in the history.
    ///
    /// ```swift
    /// var last = try await store.registerHistoryConsumer("search index")
    /// for transaction in try await store.history(after: last) {
    ///     index.update(transaction.changes)
    ///     last = transaction.token
    /// }
    /// try await store.acknowledgeHistory(through: last, by: "search index")
    /// ```
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/history``.
    public func registerHistoryConsumer(_ consumer: String) async throws -> StoreToken {
        try requireHistory()
        return try await writeMetadata("history consumer") { session, storeID in
            var metadata = try session.userInfo()
            if let recorded = HistoryConsumers.sequences(in: metadata)[consumer] {
                return StoreToken(storeID: storeID, sequence: recorded)
            }
            metadata[HistoryConsumers.prefix + consumer] = "\(session.token.sequence)"
            try session.setUserInfo(metadata)
            return session.token
        }
    }

    /// Records that a consumer has read the history up to a token.
    ///
    /// The store persists the token, so the consumer can continue after a restart. A token before the recorded one changes nothing.
    ///
    /// - Parameters:
    ///   - token: The token of the last transaction that the consumer has read.
    ///   - consumer: The name of the consumer; it is registered if necessary.
    /// - Throws: ``StoreError/Code/historyExpired`` if the token belongs to another store, ``StoreError/Code/unsupportedRequest`` if it is
    ///   after the end of the history.
    public func acknowledgeHistory(through token: StoreToken, by consumer: String) async throws {
        try requireHistory()
        try token.check(isOf: pipeline.identifiers.storeID)
        try await writeMetadata("history consumer") { session, _ in
            // Reads the metadata first: the first request begins the transaction, and only then the session has a current token.
            var metadata = try session.userInfo()
            guard token.sequence <= session.token.sequence else {
                throw StoreError(
                    .unsupportedRequest,
                    "The token for history consumer “\(consumer)” is after the end of the store's history.",
                    remedy: "Pass the token of a transaction that history(after:) has returned.")
            }
            if let known = HistoryConsumers.sequences(in: metadata)[consumer], known >= token.sequence {
                return
            }
            metadata[HistoryConsumers.prefix + consumer] = "\(token.sequence)"
            try session.setUserInfo(metadata)
        }
    }

    private func requireHistory() throws(StoreError) {
        if capabilities.contains(.history) { return }
        throw StoreError(
            .unsupportedRequest, "The store's backend doesn't record a history.",
            remedy: "Use a store whose capabilities contain .history.")
    }

    /// Removes a consumer, so that pruning may delete transactions that it has not read.
    public func removeHistoryConsumer(_ consumer: String) async throws {
        try await writeMetadata("history consumer") { session, _ in
            var metadata = try session.userInfo()
            metadata[HistoryConsumers.prefix + consumer] = nil
            try session.setUserInfo(metadata)
        }
    }

    /// Deletes the history that a policy doesn't retain; reading it afterwards throws ``StoreError/Code/historyExpired``.
    ///
    /// - Returns: The token of the last deleted transaction, after which the history starts; nil if nothing was deleted.
    /// - Throws: ``StoreError/Code/unsupportedRequest`` in a store without ``StoreCapabilities/history``.
    @discardableResult
    public func pruneHistory(keeping retention: HistoryRetention) async throws -> StoreToken? {
        try requireHistory()
        return try await writeMetadata("prune history") { session, storeID in
            let consumers = HistoryConsumers.sequences(in: try session.userInfo()).values
            let last = try retention.lastPrunable(session, consumers: Array(consumers), now: .now)
            let oldest = try session.history(HistoryRequest(limit: 1).withoutChanges).first
            guard let oldest, oldest.token.sequence <= last else { return nil }
            let token = StoreToken(storeID: storeID, sequence: last)
            try session.pruneHistory(through: token)
            return token
        }
    }

    // MARK: Metadata

    /// Replaces the program's metadata in the store.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` for a key that starts with `history.consumer.`, which is reserved.
    public func setUserInfo(_ userInfo: [String: String]) async throws {
        if let taken = userInfo.keys.first(where: HistoryConsumers.isConsumerKey) {
            throw StoreError(
                .unsupportedRequest, "The user info key “\(taken)” is reserved for the store.",
                remedy: "Choose a key that doesn't start with “\(HistoryConsumers.prefix)”.")
        }
        try await writeMetadata("user info") { session, _ in
            try session.replaceProgramMetadata(by: userInfo)
        }
    }

    private func allMetadata() async throws -> [String: String] {
        let coordinator = pipeline.coordinator
        return try await pipeline.read(OperationLabel(kind: .read, identifier: "metadata")) {
            try coordinator.metadata().userInfo
        }
    }

    /// Runs a write that changes metadata or history; it publishes no changed objects.
    func writeMetadata<Value: Sendable>(
        _ name: String, _ work: @Sendable (any WriteSession, UUID) throws -> Value
    ) async throws -> Value {
        let value = BlockValue<Value>()
        let label = OperationLabel(kind: .write, identifier: name)
        let retryPolicy = RetryPolicy(pipeline, label, limit: nil, after: RetryPolicy.transient)
        try await retryPolicy.run { label in
            try await pipeline.write(label) { [pipeline] share in
                value.set(try work(share.session(), pipeline.identifiers.storeID))
                let none = StoreChangeBuilder(
                    model: pipeline.coordinator.model, identifiers: pipeline.identifiers)
                return .changed(WriteChanges(builder: none))
            }
        }
        return value.get()
    }
}

public import Foundation

/// A committed transaction in the history of a store.
public struct StoreTransaction: Sendable, Hashable {
    /// The position in the history after the transaction.
    public let token: StoreToken
    /// The date of the commit.
    public let date: Date
    /// The author of the transaction.
    public let author: String?
    /// The name of the context or operation that made the transaction.
    public let contextName: String?
    /// The process that made the transaction; nil for transactions of earlier versions of this package, which didn't record it.
    public let process: HistoryProcess?
    /// The changes, one for each object.
    public let changes: [Change]

    /// The change of one object.
    public struct Change: Sendable, Hashable {
        /// Whether the object was inserted, updated or deleted.
        public let kind: HistoryChange.Kind
        /// The identifier of the object.
        public let objectID: ObjectID
        /// The name of the object's entity.
        public let entityName: String
        /// The properties that an update changed.
        public let changedProperties: [String]
        /// The attributes of a deleted object that the model preserves after deletion.
        public let tombstone: [String: StoredValue]
    }
}

extension Store {
    /// Returns committed transactions, in the order of their commits.
    ///
    /// ```swift
    /// var last: StoreToken?
    /// for transaction in try await store.history(after: last, of: "Player") {
    ///     for change in transaction.changes { print(change.kind, change.objectID) }
    ///     last = transaction.token
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The token after which to start; nil for the whole history.
    ///   - date: The date after which to start; nil for no such condition.
    ///   - entityNames: The entities, including their subentities, whose changes are returned; none for all entities.
    ///   - author: The author whose transactions are returned; nil for all authors.
    ///   - limit: The maximum number of transactions; nil for no limit.
    /// - Throws: ``StoreError/Code/historyExpired`` if the history no longer reaches back to the token: fetch all objects again, and
    ///   continue after the token in ``StoreError/expiredHistory``. ``StoreError/Code/unknownProperty`` if the model has no such entity.
    public func history(
        after token: StoreToken? = nil, since date: Date? = nil, of entityNames: String...,
        by author: String? = nil, limit: Int? = nil
    ) async throws -> [StoreTransaction] {
        let indices = try entityNames.flatMap { name in
            guard let entity = model.layout(named: name) else {
                throw StoreError(
                    .unknownProperty, "The model has no entity “\(name)”.",
                    remedy: "Pass the name of one of the model's entities.")
            }
            return entity.familyIndices
        }
        let request = HistoryRequest(
            after: token, since: date, entityIndices: entityNames.isEmpty ? nil : Set(indices),
            author: author, limit: limit)
        let label = OperationLabel(kind: .read, identifier: "history")
        return try await pipeline.read(label) { [pipeline] in
            let session = try pipeline.coordinator.openReadSession(SessionOptions(identifier: "history"))
            defer { session.end() }
            return try session.history(request).map { StoreTransaction($0, pipeline) }
        }
    }

    /// Deletes the history up to a token; reading it afterwards throws ``StoreError/Code/historyExpired``.
    public func pruneHistory(through token: StoreToken) async throws {
        try await writeMetadata("prune history") { session, _ in try session.pruneHistory(through: token) }
    }
}

extension StoreTransaction {
    fileprivate init(_ transaction: HistoryTransaction, _ pipeline: Pipeline) {
        token = transaction.token
        date = transaction.date
        author = transaction.author
        contextName = transaction.contextName
        process = transaction.process
        changes = transaction.changes.map { change in
            let entity = pipeline.coordinator.model.layouts[change.entityIndex]
            return Change(
                kind: change.kind, objectID: pipeline.identifiers.id(of: change.key, in: entity),
                entityName: entity.name, changedProperties: change.changedProperties,
                tombstone: change.tombstone)
        }
    }
}

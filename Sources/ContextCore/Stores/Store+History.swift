public import Foundation

/// A committed save, as the history of a store tells it.
public struct StoreTransaction: Sendable, Hashable {
    /// The moment right after it.
    public let token: StoreToken
    /// When it was committed.
    public let date: Date
    /// Who made it.
    public let author: String?
    /// The context or the operation that made it.
    public let contextName: String?
    /// The process that made it; nil for one that was made before stores noted it.
    public let process: HistoryProcess?
    /// What it changed, each object once.
    public let changes: [Change]

    /// What was done to one object.
    public struct Change: Sendable, Hashable {
        /// Whether it was inserted, updated or deleted.
        public let kind: HistoryChange.Kind
        /// Which object it was.
        public let objectID: ObjectID
        /// The object's own entity.
        public let entityName: String
        /// The properties that an update changed.
        public let changedProperties: [String]
        /// What a deleted object leaves behind: attributes that were declared to outlive it.
        public let tombstone: [String: StoredValue]
    }
}

extension Store {
    /// Reads what was saved, in the order in which it was committed.
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
    ///   - token: Only what came after this moment; nil for all that is kept.
    ///   - date: Only what was committed after this date.
    ///   - entityNames: Only changes of these entities and those that inherit from them; all, where none is named.
    ///   - author: Only what this author saved.
    ///   - limit: How many transactions at the most.
    /// - Throws: ``StoreError/Code/historyExpired`` where the history no longer goes back to the token: fetch everything anew, and go on
    ///   from the moment that ``StoreError/expiredHistory`` names. ``StoreError/Code/unknownProperty`` where there is no such entity.
    public func history(
        after token: StoreToken? = nil, since date: Date? = nil, of entityNames: String...,
        by author: String? = nil, limit: Int? = nil
    ) async throws -> [StoreTransaction] {
        let indices = try entityNames.flatMap { name in
            guard let entity = model.layout(named: name) else {
                throw StoreError(.unknownProperty, "The model has no entity “\(name)”.")
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

    /// Forgets the history up to a moment: those who have not read it by then are told that it has expired.
    public func pruneHistory(through token: StoreToken) async throws {
        try await writeNotes("prune history") { session, _ in try session.pruneHistory(through: token) }
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

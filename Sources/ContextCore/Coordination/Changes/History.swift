public import Foundation

/// A request for the history of saves.
public struct HistoryRequest: Sendable, Hashable {
    /// The token after which transactions are returned; nil for all that exist.
    public var after: StoreToken?
    /// The date after which transactions are returned.
    public var since: Date?
    /// The indices in the model of entities whose changes are returned; nil for all.
    ///
    /// Subentities must be included explicitly. Transactions without such changes are omitted.
    public var entityIndices: Set<Int>?
    /// The author whose transactions are returned.
    public var author: String?
    /// The maximum number of transactions.
    public var limit: Int?
    /// Whether the result includes visible transactions after the first missing number, and unused numbers as transactions without
    /// changes.
    package var includesGaps = false
    /// Whether transactions are returned without their changes and processes, as pruning needs neither.
    ///
    /// Records that can't be decoded are then returned too.
    package var omitsChanges = false

    /// Creates a request.
    public init(
        after: StoreToken? = nil, since: Date? = nil, entityIndices: Set<Int>? = nil, author: String? = nil,
        limit: Int? = nil
    ) {
        self.after = after
        self.since = since
        self.entityIndices = entityIndices
        self.author = author
        self.limit = limit
    }

    /// The same request for transactions of all entities, without their changes.
    package var withoutChanges: HistoryRequest {
        var request = self
        request.entityIndices = nil
        request.omitsChanges = true
        return request
    }
}

/// A committed save in the history.
public struct HistoryTransaction: Sendable {
    /// The position in the history after the transaction.
    public var token: StoreToken
    /// The time of the commit.
    public var date: Date
    /// The author of the transaction.
    public var author: String?
    /// The name of the context that saved.
    public var contextName: String?
    /// The process that saved; nil if it was not recorded.
    public var process: HistoryProcess?
    /// The changes, one per row, sorted by entity and key.
    public var changes: [HistoryChange]

    /// Creates a transaction.
    public init(
        token: StoreToken, date: Date, author: String?, contextName: String?,
        process: HistoryProcess? = nil, changes: [HistoryChange]
    ) {
        self.token = token
        self.date = date
        self.author = author
        self.contextName = contextName
        self.process = process
        self.changes = changes
    }
}

/// A process that saved.
public struct HistoryProcess: Sendable, Hashable {
    /// The name of the program.
    public var name: String
    /// The process identifier, which the system may have reused since.
    public var identifier: Int32

    /// Creates a value.
    public init(name: String, identifier: Int32) {
        self.name = name
        self.identifier = identifier
    }

    /// This process.
    public static let current = HistoryProcess(
        name: ProcessInfo.processInfo.processName, identifier: ProcessInfo.processInfo.processIdentifier)
}

/// One row that a save changed.
public struct HistoryChange: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The row was inserted.
        case insert
        /// The row was updated.
        case update
        /// The row was deleted.
        case delete
    }

    /// The kind of change.
    public var kind: Kind
    /// The index in the model of the row's own entity.
    public var entityIndex: Int
    /// The key of the row.
    public var key: Int64
    /// The names of the properties that an update changed, sorted by their bytes.
    ///
    /// A new, moved or removed link of a many-to-many relationship changes both rows; a new position in an ordered one-to-many
    /// relationship changes the owner's row.
    public var changedProperties: [String]
    /// The preserved values of a deleted row: attributes that are preserved on deletion and aren't null.
    public var tombstone: [String: StoredValue]

    /// Creates a change.
    public init(
        kind: Kind, entityIndex: Int, key: Int64, changedProperties: [String] = [],
        tombstone: [String: StoredValue] = [:]
    ) {
        self.kind = kind
        self.entityIndex = entityIndex
        self.key = key
        self.changedProperties = changedProperties
        self.tombstone = tombstone
    }
}

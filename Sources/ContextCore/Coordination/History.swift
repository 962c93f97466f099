public import Foundation

/// Asks for the history of saves.
public struct HistoryRequest: Sendable, Hashable {
    /// Only transactions after this moment; nil for all that are kept.
    public var after: StoreToken?
    /// Only transactions after this date.
    public var since: Date?
    /// Only changes of these entities, by position in the model; nil for all.
    ///
    /// Subentities are named one by one. A transaction that is left without changes is left out.
    public var entityIndices: Set<Int>?
    /// Only transactions of this author.
    public var author: String?
    /// How many transactions at the most.
    public var limit: Int?
    /// Whether visible transactions come too that follow the first missing number, and numbers that no transaction has, as ones without
    /// changes.
    package var isForFeed = false
    /// Whether the transactions come without their changes and processes, neither of which pruning needs.
    ///
    /// Then a record that can't be read is found like any other.
    package var omitsChanges = false

    /// Makes a request.
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

    /// The same request for transactions without their changes, of all entities.
    package var withoutChanges: HistoryRequest {
        var request = self
        request.entityIndices = nil
        request.omitsChanges = true
        return request
    }
}

/// One committed save, as the history keeps it.
public struct HistoryTransaction: Sendable {
    /// The moment right after it.
    public var token: StoreToken
    /// When it was committed.
    public var date: Date
    /// Who made it.
    public var author: String?
    /// The context that it was made in.
    public var contextName: String?
    /// The process that made it; nil where that was not written down.
    public var process: HistoryProcess?
    /// What it changed: each row once, sorted by entity and key.
    public var changes: [HistoryChange]

    /// Makes a transaction.
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

/// A process that has saved, as it called itself then.
public struct HistoryProcess: Sendable, Hashable {
    /// The name of its program.
    public var name: String
    /// The number that its system gave it, which may have been given to another one since.
    public var identifier: Int32

    /// Names a process.
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
    /// What was done to the row.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The row was new.
        case insert
        /// The row was changed.
        case update
        /// The row was deleted.
        case delete
    }

    /// What was done to the row.
    public var kind: Kind
    /// The position in the model of the row's own entity.
    public var entityIndex: Int
    /// The row's key.
    public var key: Int64
    /// The names of the properties that an update changed, sorted by their bytes.
    ///
    /// A new, moved or lost link of a many-to-many relationship changes both its rows; a place in an ordered one-to-many
    /// relationship changes the owner's.
    public var changedProperties: [String]
    /// What is kept of a deleted row: the attributes whose values are preserved on deletion, unless they are null.
    public var tombstone: [String: StoredValue]

    /// Makes a change.
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

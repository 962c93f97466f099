/// The options of a session.
public struct SessionOptions: Sendable, Hashable {
    /// The name of the operation, which is shown in lists of sessions.
    public var identifier: String
    /// The lane of a write session; nil if it is not ordered with other writes.
    public var lane: String?
    /// The isolation of a write session in a store with concurrent writers; nil for the store's default.
    public var isolation: WriteIsolation?
    /// Whether the session's work ends with ``StoreError/Code/cancelled`` if its task is cancelled.
    ///
    /// A commit that has started is finished in any case.
    public var isCancellable: Bool
    /// Whether a read session must see all committed transactions, and not only those that this store has saved or seen.
    ///
    /// A replica may not have them yet.
    public var requiresLatest: Bool
    /// Whether a read session throws ``StoreError/Code/accessDenied`` instead of returning fewer rows, where the database hides rows from
    /// the login, as PostgreSQL's row security does.
    ///
    /// Backups, copies and checks of a whole store set it.
    public var requiresAllRows = false
    /// Whether a write session may defer its BEGIN until its first statement, if it is a ``SingleRoundTripSession``.
    public var defersBegin = false
    /// Whether a read session stays open for a pinned context, and is idle most of the time.
    public var isPinned = false
    /// Whether rows are returned without the values that are stored outside of them.
    ///
    /// A context then loads such values only if the program reads them: see ``AttributeOption/externalStorage(over:)``. A fetch with
    /// explicit columns returns their values anyway, and so do stores without external storage.
    public var defersExternalValues = false

    /// Creates options.
    public init(
        identifier: String, lane: String? = nil, isCancellable: Bool = true, requiresLatest: Bool = false
    ) {
        self.identifier = identifier
        self.lane = lane
        self.isCancellable = isCancellable
        self.requiresLatest = requiresLatest
    }
}

/// The isolation of a write from concurrent writes, in a store with ``StoreCapabilities/concurrentWrites``.
///
/// In a store with a single writer, it has no effect.
public enum WriteIsolation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Protects the rows that the write changes.
    ///
    /// The write reads one snapshot of the store, and others may change what it only reads. So a rule about several objects, such as “one
    /// doctor is always on duty”, can be violated by two writes that each change another object (write skew).
    case snapshot
    /// Protects everything that the write has read, including the results of its fetches.
    ///
    /// The effect is as if serializable writes ran one after the other. A write that fits into no such order is rolled back and retried.
    case serializable
}

extension SessionOptions {
    /// Returns the options of a session for the reads of a context.
    static func forContext(named name: String) -> SessionOptions {
        var options = SessionOptions(identifier: name)
        options.defersExternalValues = true
        return options
    }
}

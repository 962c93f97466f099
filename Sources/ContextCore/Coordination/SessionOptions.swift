/// Says what a session is for.
public struct SessionOptions: Sendable, Hashable {
    /// Who asks: shown wherever waiting sessions are listed.
    public var identifier: String
    /// The lane of a write session; nil where it keeps no order with others.
    public var lane: String?
    /// What a session that writes is protected from, where several may write; nil for what the store is configured for.
    public var isolation: WriteIsolation?
    /// Whether what the session does may end, with ``StoreError/Code/cancelled``, when the task that runs it is cancelled.
    ///
    /// A commit that has begun comes to its end in any case.
    public var heedsCancellation: Bool
    /// Whether a session that reads must see all that anybody has committed, and not only what this store has saved or seen.
    ///
    /// A server that follows another may not have it yet.
    public var seesNewest: Bool
    /// Whether a session that writes may wait with its transaction until it is asked for something, if it is a ``OneTripSession``.
    public var mayBeginLate = false
    /// Whether a session that reads stays open for as long as a pinned context needs it, and is idle most of the time.
    public var isHeld = false
    /// Whether rows come without the values that lie outside of them.
    ///
    /// It spares a context what its program may never read: see ``AttributeOption/externalStorage(over:)``. A fetch that names its columns answers with
    /// their values all the same, and so does any store that keeps all values in their rows.
    public var defersExternalValues = false

    /// Makes options.
    public init(
        identifier: String, lane: String? = nil, heedsCancellation: Bool = true, seesNewest: Bool = false
    ) {
        self.identifier = identifier
        self.lane = lane
        self.heedsCancellation = heedsCancellation
        self.seesNewest = seesNewest
    }
}

/// What a write is protected from that others do at the same time, in a store with ``StoreCapabilities/concurrentWrites``.
///
/// A store with one writer has nothing to protect from.
public enum WriteIsolation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Changes of the rows that it changes itself.
    ///
    /// It works on one moment of the store, and others may change what it only reads. So a rule over several objects, such as “one doctor
    /// is always on duty”, can be broken by two blocks that each change another object.
    case snapshot
    /// Changes of all that it has read, and of what its fetches would have found.
    ///
    /// It is as if serializable writes ran one after the other. One that wouldn't fit into any such order is overtaken, and runs again.
    case serializable
}

extension SessionOptions {
    /// The options of a session from which a context reads.
    static func forContext(named name: String) -> SessionOptions {
        var options = SessionOptions(identifier: name)
        options.defersExternalValues = true
        return options
    }
}

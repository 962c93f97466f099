/// What a backend is to contexts: the place that rows are fetched from and change sets are saved to.
///
/// Values go in and values come out; a coordinator never sees an object or a context. Work is done in *sessions*. A read
/// session sees one moment of the store from beginning to end. A write session is the only writer of its lane; what it applies
/// becomes visible to others when it commits, and not before.
///
/// Nothing here has a default implementation: where stores differ, they say so in ``capabilities``.
public protocol StoreCoordinator: Sendable {
    /// The model of what the store keeps.
    var model: ObjectModel { get }
    /// What the store can do beyond what every store can.
    var capabilities: StoreCapabilities { get }
    /// Who the store is and what was noted about it.
    func metadata() throws -> StoreMetadata
    /// Opens a session that sees one moment of the store. Blocks its thread, never a task.
    func openReadSession(_ options: SessionOptions) throws -> any ReadSession
    /// Opens the session that writes. Blocks its thread until no other writes in the same lane.
    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession
    /// Closes the store. Sessions still open end with an error; a second call does nothing.
    func close()
}

/// A view of one moment of a store, used by one thread at a time.
public protocol ReadSession: AnyObject {
    /// The moment that the session sees: the last transaction that is visible to it.
    var token: StoreToken { get }
    /// Fetches rows, filtered, ordered and cut as the plan says.
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    /// Fetches the rows that have these keys, in no particular order; what isn't there is left out.
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    /// Fetches what a to-many relationship leads to, for many owners at once.
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    /// Works out aggregates, grouped or not, and plain values of properties.
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]]
    /// Fetches the history of saves.
    func history(_ request: HistoryRequest) throws -> [HistoryTransaction]
    /// Ends the session, and a write session without a commit rolls back. A second call does nothing.
    func end()
}

/// A session that changes a store: everything that it applied is committed at once, or nothing is.
public protocol WriteSession: ReadSession {
    /// Sets keys aside for new objects of an inheritance tree. They are never given out again, unless the session rolls back.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    /// Applies changes. All or nothing: where the receipt names conflicts, nothing was applied.
    func apply(_ changes: ChangeSet) throws -> SaveReceipt
    /// Changes many rows by predicate, delete rules included.
    func perform(_ batch: BatchPlan) throws -> BatchReceipt
    /// Makes what was applied visible and durable. Ends the session.
    func commit() throws -> StoreToken
    /// Undoes what was applied. Ends the session.
    func rollback()
}

/// What a backend is to contexts: the place that rows are fetched from and change sets are saved to.
///
/// Values go in and values come out; a coordinator never sees an object or a context. Work is done in *sessions*. A read
/// session sees one moment of the store from beginning to end. A write session is the only writer, or, in a store with
/// ``StoreCapabilities/concurrentWrites``, one of several; what it applies becomes visible to others when it commits, and not before.
///
/// Nothing here has a default implementation: where stores differ, they say so in ``capabilities``. Every failure is a
/// ``StoreError``. ``InMemoryCoordinator`` is the reference: where this page leaves a question open, do as it does.
public protocol StoreCoordinator: Sendable {
    /// The model of what the store keeps.
    var model: ObjectModel { get }
    /// What the store can do beyond what every store can.
    var capabilities: StoreCapabilities { get }
    /// Says who the store is and what was noted about it.
    func metadata() throws -> StoreMetadata
    /// Opens a session that sees one moment of the store. Blocks its thread, never a task.
    func openReadSession(_ options: SessionOptions) throws -> any ReadSession
    /// Opens a session that writes. Blocks its thread until no other writes, unless the store has
    /// ``StoreCapabilities/concurrentWrites``.
    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession
    /// Closes the store. Sessions still open end with an error; a second call does nothing.
    func close()
}

/// A view of one moment of a store, used by one thread at a time.
///
/// - Throws: Every call throws ``StoreError/Code/closed`` once the session has ended or the store is closed.
public protocol ReadSession: AnyObject {
    /// The moment that the session sees: the last transaction that is visible to it.
    ///
    /// A write session sees its own changes besides. Where it is the only writer, it moves on with each of them that becomes a
    /// transaction; otherwise they get their numbers when they are committed.
    ///
    /// Every transaction up to it is visible, or will never be. In a store with many writers some after it may be visible too, while one
    /// in between has not ended; see ``unsettled``.
    var token: StoreToken { get }
    /// The visible transactions after ``token``, while one in between has not ended yet; in a store with one writer there are none.
    var unsettled: [StoreToken] { get }
    /// Fetches rows, filtered, ordered and cut as the plan says; without an order, in order of their keys.
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    /// Fetches the rows that have these keys, in no particular order.
    ///
    /// Rows are of the entity or of its subentities, each once; what isn't there is left out.
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    /// Fetches what a to-many relationship leads to, for many owners at once.
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    /// Works out aggregates, grouped or not, and plain values of properties.
    ///
    /// Answers a line a row or a group, with a value for each of the plan's columns.
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]]
    /// Fetches the history of saves up to the session's token, the oldest first; of a write session's own those that have a number
    /// already (see ``token``).
    ///
    /// - Throws: ``StoreError/Code/historyExpired`` where the history no longer goes back to the token that is asked after.
    func history(_ request: HistoryRequest) throws -> [HistoryTransaction]
    /// Ends the session, and a write session without a commit rolls back. A second call does nothing.
    func end()
}

/// A session that changes a store: everything that it applied is committed at once, or nothing is.
///
/// A session may apply several change sets, and sees the result of each. Each that changes anything becomes a transaction of its
/// own in the history, in the order in which they were applied.
public protocol WriteSession: ReadSession {
    /// Sets keys aside for new objects of an inheritance tree.
    ///
    /// Keys begin at 1, and are never given out again: not when the session rolls back, nor when their objects are deleted.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    /// Applies changes. All or nothing: where the receipt names conflicts, nothing of the change set was applied.
    ///
    /// Conflicts are found in two steps, and each step finds all that there are:
    ///
    /// 1. *Versions.* An updated row whose version is not its base version has changed; one that isn't there is deleted. So is a
    ///    deleted row that had a base version. An inserted key that is in use is a duplicate of itself with no constraint.
    /// 2. Only if there are none, *constraints*, on the state that the whole change set would leave, so that two rows may swap
    ///    their unique values: values of unique constraints, compared by bytes, of inserted and updated rows, where null never
    ///    collides; references of inserted and updated rows, and of rows that still refer to a deleted one; both ends of placed
    ///    links. A reference whose inverse has the delete rule ``DeleteRule/noAction`` is not checked: it may lead nowhere.
    func apply(_ changes: ChangeSet) throws -> SaveReceipt
    /// Changes many rows by predicate: versions grow by one, delete rules are carried out.
    ///
    /// All or nothing, like ``apply(_:)``, and with the same conflicts. Before them come those of delete rules, all of them: rows
    /// that a rule ``DeleteRule/deny`` keeps, and rows that can't do without a reference that ``DeleteRule/nullify`` takes away.
    func perform(_ batch: BatchPlan) throws -> BatchReceipt
    /// What a program has noted about the store, as the session sees it: with what it has noted itself.
    func userInfo() throws -> [String: String]
    /// Notes what a program wants to know about the store, in place of what was noted before.
    func setUserInfo(_ userInfo: [String: String]) throws
    /// Forgets the history up to a moment, its transaction included.
    ///
    /// Whoever asks for the history after an older moment is told that it has expired.
    func pruneHistory(through token: StoreToken) throws
    /// Begins work that can be undone by itself, on behalf of somebody who shares the session's transaction with those before him.
    ///
    /// It ends with ``endSavepoint(keepingWork:)``, and there is one at a time. The options say for whom it is done; whatever they say,
    /// a cancellation must not harm what was done before.
    func beginSavepoint(_ options: SessionOptions) throws
    /// Ends such work: what was applied since it began stays, to be committed with the rest, or is undone.
    ///
    /// Keys that were reserved stay reserved in any case.
    func endSavepoint(keepingWork: Bool) throws
    /// The transactions that the session has made; where it isn't the only writer, once they are committed.
    var transactions: [StoreToken] { get }
    /// Makes what was applied visible and durable. Ends the session.
    ///
    /// Returns the token of the last transaction, which is the one before it where nothing was changed.
    func commit() throws -> StoreToken
    /// Undoes what was applied. Ends the session.
    func rollback()
}

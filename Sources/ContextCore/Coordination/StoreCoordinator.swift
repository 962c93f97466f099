/// A backend's store, from which contexts fetch rows and to which they save change sets.
///
/// All parameters and results are values; a coordinator doesn't know objects or contexts. Work is done in *sessions*. A read
/// session sees one snapshot of the store. A write session is the only writer, or, in a store with
/// ``StoreCapabilities/concurrentWrites``, one of several; other sessions see what it applies only after its commit.
///
/// The requirements have no default implementations: ``capabilities`` describes how stores differ. Every error is a
/// ``StoreError``. ``InMemoryCoordinator`` is the reference for questions that this documentation leaves open.
public protocol StoreCoordinator: Sendable {
    /// The model of the store.
    var model: ObjectModel { get }
    /// The optional capabilities of the store.
    var capabilities: StoreCapabilities { get }
    /// Returns the identity and the metadata of the store.
    func metadata() throws -> StoreMetadata
    /// Opens a session that reads one snapshot of the store.
    ///
    /// It blocks the calling thread, so it must not run on one of Swift's cooperative threads.
    func openReadSession(_ options: SessionOptions) throws -> any ReadSession
    /// Opens a session that writes.
    ///
    /// It blocks the calling thread until no other session writes, unless the store has ``StoreCapabilities/concurrentWrites``.
    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession
    /// Closes the store.
    ///
    /// Open sessions end with an error; a second call does nothing.
    func close()
}

/// A session that reads one snapshot of a store, used by one thread at a time.
///
/// - Throws: Every call throws ``StoreError/Code/closed`` after the session has ended or the store was closed.
public protocol ReadSession: AnyObject {
    /// The last transaction that the session sees.
    ///
    /// A write session also sees its own changes. If it is the only writer, the token advances with each of them that becomes a
    /// transaction; otherwise they are numbered when they are committed.
    ///
    /// Every transaction up to the token is visible, or will never exist. In a store with concurrent writers, later transactions may be
    /// visible too while one in between hasn't ended; see ``transactionsAfterGap``.
    var token: StoreToken { get }
    /// The visible transactions after ``token``, while one in between hasn't ended; always empty in a store with one writer.
    var transactionsAfterGap: [StoreToken] { get }
    /// Fetches the rows of a plan, filtered, sorted and limited; without an order, sorted by key.
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    /// Fetches the rows with the given keys, in no particular order.
    ///
    /// The rows are of the entity or its subentities, without duplicates; keys without a row are ignored.
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    /// Fetches the related objects of many owners of a to-many relationship.
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    /// Computes aggregates, with or without groups, and values of properties.
    ///
    /// - Returns: One result row per group, or per stored row without groups, with a value for each of the plan's columns.
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]]
    /// Fetches the history of saves up to the session's token, oldest first.
    ///
    /// It includes those transactions of a write session that are already numbered (see ``token``).
    ///
    /// - Throws: ``StoreError/Code/historyExpired`` if the history after the requested token was deleted.
    func history(_ request: HistoryRequest) throws -> [HistoryTransaction]
    /// Ends the session, and rolls back a write session that wasn't committed; a second call does nothing.
    func end()
}

/// A session that changes a store, in a transaction that is committed as a whole or rolled back.
///
/// A session may apply several change sets, and sees the result of each. Each that changes anything becomes a separate transaction
/// of the history, in the order in which they were applied.
public protocol WriteSession: ReadSession {
    /// Reserves keys for new objects of an inheritance tree.
    ///
    /// Keys start at 1 and are never reused, even if the session rolls back or their objects are deleted.
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    /// Applies a change set completely, or not at all if the receipt has conflicts.
    ///
    /// Conflicts are detected in two steps, and each step finds all of its conflicts:
    ///
    /// 1. *Versions.* If the version of an updated row differs from its base version, the conflict is `changed`; if the row is gone,
    ///    `deleted`. A deleted row with a base version is checked likewise. An inserted row whose key is in use has the conflict
    ///    `duplicate`, with an empty constraint and its own key.
    /// 2. If there are none, *constraints*, in the state after the whole change set, so that two rows may swap
    ///    their unique values: values of unique constraints of inserted and updated rows, compared by bytes, where null never
    ///    conflicts; references of inserted and updated rows, and of rows that still refer to a deleted one; both objects of placed
    ///    links. A reference whose inverse has the delete rule ``DeleteRule/noAction`` isn't checked: it may dangle.
    func apply(_ changes: ChangeSet) throws -> SaveReceipt
    /// Changes many rows by predicate: increments their versions and applies delete rules; or inserts rows.
    ///
    /// ``BatchUpsert`` says what an insertion does that may find stored rows with the same unique values.
    ///
    /// It is atomic like ``apply(_:)``, and has the same conflicts. Before them it checks delete rules and finds all of their conflicts:
    /// rows that a rule ``DeleteRule/deny`` protects, and rows with a required reference that ``DeleteRule/nullify`` would clear.
    func perform(_ batch: BatchPlan) throws -> BatchReceipt
    /// Returns the program's metadata about the store, including uncommitted changes of this session.
    func userInfo() throws -> [String: String]
    /// Replaces the program's metadata about the store.
    func setUserInfo(_ userInfo: [String: String]) throws
    /// Deletes the history up to a token, including its transaction.
    ///
    /// A request for the history after an earlier token then throws ``StoreError/Code/historyExpired``.
    func pruneHistory(through token: StoreToken) throws
    /// Opens a savepoint for the next write, if several writes share the session's transaction.
    ///
    /// ``endSavepoint(keepingWork:)`` ends it, and there is at most one at a time. The options are those of the next write; its
    /// cancellation must not affect the work of earlier writes.
    func beginSavepoint(_ options: SessionOptions) throws
    /// Releases the savepoint, so that its work is committed with the rest, or rolls back to it.
    ///
    /// Reserved keys stay reserved in both cases.
    func endSavepoint(keepingWork: Bool) throws
    /// The transactions of the session; if it isn't the only writer, they are known after the commit.
    var transactions: [StoreToken] { get }
    /// Makes the applied changes visible and durable, and ends the session.
    ///
    /// - Returns: The token of the last transaction; without changes, that of the transaction before.
    func commit() throws -> StoreToken
    /// Rolls back the applied changes, and ends the session.
    func rollback()
}

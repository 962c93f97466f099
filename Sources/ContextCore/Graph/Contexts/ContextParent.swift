import Foundation

/// The source that a context fetches from and saves to: a store or another context.
///
/// A context uses its parent only through this protocol, so contexts nest without special cases.
protocol ContextParent: AnyObject {
    /// The identifier spaces of the store, by root entity.
    var identifiers: IdentifierSpaces { get }
    /// Whether change sets must contain the rows that the changes are based on.
    var needsBaseRows: Bool { get }
    /// Whether all reads and saves belong to one transaction.
    var isTransaction: Bool { get }
    /// Whether no other connection can write until that transaction ends.
    var excludesOtherWriters: Bool { get }
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    /// Fetches values that were not fetched with their rows, ignoring pending changes; omits those that the store no longer has.
    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue]
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]]
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    func save(_ changes: ChangeSet) throws -> SaveReceipt
    func perform(_ batch: BatchPlan) throws -> BatchReceipt
    /// Runs a closure whose reads all see the same snapshot of the store.
    func withSnapshot<Value>(_ body: () throws -> Value) throws -> Value
    /// Whether the parent has marked a row as deleted, although other rows may still reference it.
    func isMarkedDeleted(_ key: Int64, rootIndex: Int) -> Bool
    /// Returns the token of the open snapshot of a pinned context; nil if there is none.
    func pinnedSnapshotToken() throws -> StoreToken?
}

extension ContextParent {
    /// The default is false: only sessions of writes are in a transaction.
    var isTransaction: Bool { false }
    var excludesOtherWriters: Bool { false }

    /// The default is false: only contexts mark rows as deleted.
    func isMarkedDeleted(_ key: Int64, rootIndex: Int) -> Bool { false }

    /// The default is nil: contexts of blocks can't be pinned.
    func pinnedSnapshotToken() throws -> StoreToken? { nil }

    /// The default runs the closure directly, because a session reads one snapshot anyway.
    func withSnapshot<Value>(_ body: () throws -> Value) throws -> Value { try body() }
}

/// A parent that is a context of another isolation.
protocol IsolatedParent: ContextParent {
    /// Runs a closure with exclusive access to the parent context, on the calling thread.
    func withExclusiveAccess<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value
}

/// A parent that is a store and outlives one snapshot: its contexts may merge commits and pin a snapshot.
protocol LongLivedParent: ContextParent {
    /// Starts collecting the commits of other contexts and processes, and returns the mailbox that receives them.
    func listen() -> ChangeMailbox
    /// Stops collecting commits.
    func stopCollectingCommits()
    /// Whether all reads see one snapshot until the context is saved, pinned again or unpinned.
    var isPinned: Bool { get }
    /// Whether the store can keep a snapshot open while other connections write.
    var canPinSnapshots: Bool { get }
    /// Whether a pinned context has an open snapshot.
    var hasPinnedSnapshot: Bool { get }
    /// Ends the open snapshot, if any, and sets whether the next read opens a new one.
    func releaseSnapshot(isPinned: Bool)
    /// Opens the snapshot that later reads see.
    func pinSnapshot() throws
}

import Foundation

/// What a context fetches from and saves to: a store, or another context.
///
/// A context asks nothing else of its parent, so contexts nest without special cases.
protocol ContextParent: AnyObject {
    /// The identifiers' spaces of the store at the top, by root entity.
    var identifiers: IdentifierSpaces { get }
    /// Whether change sets must carry the rows that they were made from.
    var wantsBaseRows: Bool { get }
    /// Whether all that is asked and saved there belongs to one transaction.
    var isTransaction: Bool { get }
    /// Whether nobody else can change anything there until that transaction ends.
    var keepsOthersOut: Bool { get }
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    /// Fetches values that were not fetched with their rows, whatever is pending; those that are no longer in the store are left out.
    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue]
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]]
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    func save(_ changes: ChangeSet) throws -> SaveReceipt
    func perform(_ batch: BatchPlan) throws -> BatchReceipt
    /// Answers what is asked within a closure from one moment of the store.
    func inOneMoment<Value>(_ body: () throws -> Value) throws -> Value
    /// Whether a row that is still referred to is to be deleted there, so that the reference leads to nothing.
    func isGone(_ key: Int64, rootIndex: Int) -> Bool
}

extension ContextParent {
    /// Only a session that writes is in one.
    var isTransaction: Bool { false }
    var keepsOthersOut: Bool { false }

    /// A store's rows are there or not; only contexts have some that are to be deleted.
    func isGone(_ key: Int64, rootIndex: Int) -> Bool { false }

    /// A session is of one moment anyway.
    func inOneMoment<Value>(_ body: () throws -> Value) throws -> Value { try body() }
}

/// A parent that is a store, and not one moment of it: contexts may follow what others save, or hold on to a moment.
protocol LongLivedParent: ContextParent {
    /// Where what others save arrives from now on.
    func listen() -> ChangeMailbox
    /// Lets go of the mailbox.
    func stopListening()
    /// Whether the context is answered from one moment until it moves on.
    var isPinned: Bool { get }
    /// Whether a moment may be held without keeping others from saving.
    var canHoldMoments: Bool { get }
    /// That moment, once it is held; the next question begins it otherwise.
    var heldMoment: StoreToken? { get }
    /// Lets go of the moment, if one is held, and holds on to the next one or not.
    func moveOn(isPinned: Bool)
    /// Begins the moment that is to be held.
    func holdMoment() throws
}

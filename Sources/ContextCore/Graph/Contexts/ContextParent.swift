import Foundation

/// What a context fetches from and saves to: a store, or another context.
///
/// A context asks nothing else of its parent, so contexts nest without special cases.
protocol ContextParent: AnyObject {
    /// The identifiers' spaces of the store at the top, by root entity.
    var identifiers: IdentifierSpaces { get }
    /// Whether change sets must carry the rows that they were made from.
    var wantsBaseRows: Bool { get }
    func fetch(_ plan: FetchPlan) throws -> RowBatch
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]]
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64>
    func save(_ changes: ChangeSet) throws -> SaveReceipt
    func perform(_ batch: BatchPlan) throws -> BatchReceipt
}

/// A parent that can tell what others save, so that a context may follow it.
protocol FollowedParent: ContextParent {
    /// Where what others save arrives from now on.
    func listen() -> ChangeMailbox
    /// Lets go of the mailbox.
    func stopListening()
}

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

/// The identifier space of each inheritance tree of a store.
final class IdentifierSpaces: Sendable {
    let storeID: UUID
    private let spaces: [IdentifierSpace]

    init(model: ObjectModel, storeID: UUID) {
        self.storeID = storeID
        spaces = model.layouts.map { layout in
            let root = model.layouts[layout.rootIndex]
            return IdentifierSpace(storeID: storeID, entityName: root.name, rootIndex: root.index)
        }
    }

    /// The identifier of an entity's object.
    func id(of key: Int64, in layout: EntityLayout) -> ObjectID {
        ObjectID(space: spaces[layout.rootIndex], key: key)
    }
}

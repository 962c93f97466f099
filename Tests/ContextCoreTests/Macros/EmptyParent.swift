import Foundation

@testable import ContextCore

/// A parent without rows, for contexts that only insert objects.
final class EmptyParent: ContextParent {
    let identifiers: IdentifierSpaces
    let needsBaseRows = false

    init(_ model: ObjectModel) {
        identifiers = IdentifierSpaces(model: model, storeID: UUID())
    }

    private var refusal: StoreError { StoreError(.closed, "There is nothing here.") }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { throw refusal }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch { throw refusal }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { throw refusal }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { throw refusal }
    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> { throw refusal }
    func save(_ changes: ChangeSet) throws -> SaveReceipt { throw refusal }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { throw refusal }
}

extension ObjectContext {
    /// Creates a context with the model of the macro tests.
    static func ofMacroModel() throws -> ObjectContext {
        let model = try ObjectModel([League.self, Runner.self, Coach.self, Handmade.self])
        return ObjectContext(model: model, parent: EmptyParent(model))
    }
}

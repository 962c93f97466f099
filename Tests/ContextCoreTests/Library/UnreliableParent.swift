@testable import ContextCore

/// A store in memory as a context's parent, which can be lost for a while; it keeps what it was asked last.
final class UnreliableParent: ContextParent {
    private let store: CountingParent
    /// Whether whatever is asked fails.
    var isLost = false
    /// Whether rows can't be asked for by their keys.
    var losesRows = false
    /// Whether it is lost as soon as a batch has been done.
    var isLostAfterBatch = false
    /// How often identifiers may still be set aside; nil for always.
    var reservationsLeft: Int?
    private(set) var lastFetch: FetchPlan?

    init(_ coordinator: InMemoryCoordinator) throws { store = try CountingParent(coordinator) }

    var identifiers: IdentifierSpaces { store.identifiers }
    var needsBaseRows: Bool { false }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        lastFetch = plan
        return try reached().fetch(plan)
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        if losesRows { throw Self.loss }
        return try reached().rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try reached().related(plan) }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try reached().aggregate(plan) }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        if let left = reservationsLeft {
            if left == 0 { throw Self.loss }
            reservationsLeft = left - 1
        }
        return try reached().reserveKeys(count, rootIndex: rootIndex)
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt { try reached().save(changes) }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        defer { isLost = isLostAfterBatch }
        return try reached().perform(batch)
    }

    private func reached() throws -> CountingParent {
        if isLost { throw Self.loss }
        return store
    }

    private static var loss: StoreError { StoreError(.database, "The store can't be reached.") }
}

extension Library {
    /// A context over the library, and what may lose the store for it.
    func unreliableContext() throws -> (context: ObjectContext, parent: UnreliableParent) {
        let parent = try UnreliableParent(coordinator)
        return (ObjectContext(model: coordinator.model, parent: parent), parent)
    }
}

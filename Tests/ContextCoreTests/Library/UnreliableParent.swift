@testable import ContextCore

/// A parent over an in-memory store that can fail on demand, and that records its last request.
final class UnreliableParent: ContextParent {
    private let store: CountingParent
    /// Whether every request fails.
    var isLost = false
    /// Whether requests for rows by key fail.
    var losesRows = false
    /// Whether every request fails after the next batch.
    var isLostAfterBatch = false
    /// The number of reservations of identifiers that still succeed; nil for all.
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
    /// Creates a context over the library, with a parent that can fail.
    func unreliableContext() throws -> (context: ObjectContext, parent: UnreliableParent) {
        let parent = try UnreliableParent(coordinator)
        return (ObjectContext(model: coordinator.model, parent: parent), parent)
    }
}

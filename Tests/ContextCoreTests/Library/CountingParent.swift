import Foundation

@testable import ContextCore

/// A parent over an in-memory store, without threads, that counts requests.
final class CountingParent: ContextParent {
    let coordinator: InMemoryCoordinator
    let identifiers: IdentifierSpaces
    let needsBaseRows = false
    private(set) var fetches = 0
    private(set) var rowRequests = 0
    private(set) var relatedPlans: [RelatedPlan] = []
    private(set) var aggregates = 0
    private(set) var saves = 0
    /// The number of rows in all results.
    private(set) var rowsServed = 0

    var relatedRequests: Int { relatedPlans.count }

    /// The number of all read requests.
    var reads: Int { fetches + rowRequests + relatedRequests + aggregates }

    init(_ coordinator: InMemoryCoordinator) throws {
        self.coordinator = coordinator
        identifiers = IdentifierSpaces(model: coordinator.model, storeID: try coordinator.metadata().storeID)
    }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        fetches += 1
        return serving(try read { try $0.fetch(plan) })
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        rowRequests += 1
        return serving(try read { try $0.rows(keys, entityIndex: entityIndex) })
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        relatedPlans.append(plan)
        let related = try read { try $0.related(plan) }
        if let rows = related.rows { rowsServed += rows.count }
        return related
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        aggregates += 1
        return try read { try $0.aggregate(plan) }
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try write { try $0.reserveKeys(count, rootIndex: rootIndex) }
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt {
        saves += 1
        return try write { try $0.apply(changes) }
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt { try write { try $0.perform(batch) } }

    private func serving(_ rows: RowBatch) -> RowBatch {
        rowsServed += rows.count
        return rows
    }

    private func read<Value>(_ body: (any ReadSession) throws -> Value) throws -> Value {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "test"))
        defer { session.end() }
        return try body(session)
    }

    private func write<Value>(_ body: (any WriteSession) throws -> Value) throws -> Value {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "test"))
        defer { session.end() }
        let value = try body(session)
        _ = try session.commit()
        return value
    }
}

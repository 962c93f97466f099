/// The shared context as what a proxy fetches from: each question waits for its turn there.
final class ProxyParent: ContextParent {
    private let shared: ContextActor

    init(_ shared: ContextActor) { self.shared = shared }

    var identifiers: IdentifierSpaces { shared.identifiers }
    var wantsBaseRows: Bool { true }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        try shared.answer { try ContextAsParent($0).fetch(plan) }
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try shared.answer { try ContextAsParent($0).rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        try shared.answer { try ContextAsParent($0).related(plan) }
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try shared.answer { try ContextAsParent($0).aggregate(plan) }
    }

    func inOneMoment<Value>(_ body: () throws -> Value) throws -> Value { try shared.inOneMoment(body) }

    func isGone(_ key: Int64, rootIndex: Int) -> Bool {
        // What can't be asked is not known to be gone, and the next question says why.
        (try? shared.answer { ContextAsParent($0).isGone(key, rootIndex: rootIndex) }) ?? false
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> { throw Self.refusal }
    func save(_ changes: ChangeSet) throws -> SaveReceipt { throw Self.refusal }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { throw Self.refusal }

    private static var refusal: StoreError {
        StoreError(
            .readOnly, "A proxy only reads.",
            remedy: "Change objects in performWithSharedContext, or in a context of your own.")
    }
}

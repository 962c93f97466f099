/// The read-only parent of a proxy's context: the shared context, in which each request waits for its turn.
final class ProxyParent: ContextParent {
    private let shared: ActorParent

    init(_ shared: ContextActor) { self.shared = ActorParent(shared) }

    var identifiers: IdentifierSpaces { shared.identifiers }
    var needsBaseRows: Bool { shared.needsBaseRows }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try shared.fetch(plan) }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try shared.rows(keys, entityIndex: entityIndex)
    }
    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        try shared.externalValues(wanted)
    }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { try shared.related(plan) }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try shared.aggregate(plan) }
    func withSnapshot<Value>(_ body: () throws -> Value) throws -> Value { try shared.withSnapshot(body) }
    func isMarkedDeleted(_ key: Int64, rootIndex: Int) -> Bool {
        shared.isMarkedDeleted(key, rootIndex: rootIndex)
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> { throw Self.readOnlyError }
    func save(_ changes: ChangeSet) throws -> SaveReceipt { throw Self.readOnlyError }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { throw Self.readOnlyError }

    private static var readOnlyError: StoreError {
        StoreError(
            .readOnly, "The context of a proxy is read-only.",
            remedy:
                "Change objects in performWithSharedContext, or in a context made with makeBackgroundContext()."
        )
    }
}

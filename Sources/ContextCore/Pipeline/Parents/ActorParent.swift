/// The context of a ``ContextActor`` as the parent of child contexts in other isolations.
///
/// Each request waits for its turn in the parent and then runs on the calling thread. A save is applied within one turn.
final class ActorParent: IsolatedParent {
    private let actor: ContextActor

    init(_ actor: ContextActor) { self.actor = actor }

    var identifiers: IdentifierSpaces { actor.identifiers }
    var needsBaseRows: Bool { true }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try inParentTurn { try $0.fetch(plan) } }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try inParentTurn { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        try inParentTurn { try $0.externalValues(wanted) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try inParentTurn { try $0.related(plan) } }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try inParentTurn { try $0.aggregate(plan) }
    }

    func withSnapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try inParentTurn { try $0.withSnapshot(body) }
    }

    func isMarkedDeleted(_ key: Int64, rootIndex: Int) -> Bool {
        // If the request fails, the row may still exist; the next request throws the error.
        (try? inParentTurn { $0.isMarkedDeleted(key, rootIndex: rootIndex) }) ?? false
    }

    func pinnedSnapshotToken() throws -> StoreToken? { try inParentTurn { try $0.pinnedSnapshotToken() } }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try inParentTurn { try $0.reserveKeys(count, rootIndex: rootIndex) }
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt { try inParentTurn { try $0.save(changes) } }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { try inParentTurn { try $0.perform(batch) } }

    private func inParentTurn<Value>(_ request: (ParentContextAdapter) throws -> Value) throws -> Value {
        try withExclusiveAccess { try request(ParentContextAdapter($0)) }
    }

    func withExclusiveAccess<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        try actor.withExclusiveAccess(body)
    }
}

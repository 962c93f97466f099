/// The parent of a block's context, which reads and writes through the block's session.
///
/// Saves are applied within the session's transaction, and recorded so that they can be published after the commit.
final class SessionParent: ContextParent {
    let identifiers: IdentifierSpaces
    private let source: Source
    private let model: ObjectModel
    private let capabilities: StoreCapabilities
    private var applied: StoreChangeBuilder
    /// Called before a fetch that may wait for locks of another process.
    private let willWait: () -> Void
    let excludesOtherWriters: Bool
    /// Whether there are changes to commit.
    private var isDirty = false
    /// The applied change sets of the context's saves; nil unless the program asks for them.
    var appliedChanges: [ChangeSet]?

    private enum Source {
        case reading(any ReadSession)
        case writing(any WriteShare)
    }

    init(reading session: any ReadSession, _ identifiers: IdentifierSpaces, model: ObjectModel) {
        (self.identifiers, self.model) = (identifiers, model)
        source = .reading(session)
        excludesOtherWriters = false
        capabilities = []
        willWait = {}
        applied = StoreChangeBuilder(model: model, identifiers: identifiers)
    }

    init(
        writing share: any WriteShare, _ identifiers: IdentifierSpaces, model: ObjectModel,
        _ capabilities: StoreCapabilities, willWait: @escaping () -> Void
    ) {
        (self.identifiers, self.model) = (identifiers, model)
        source = .writing(share)
        self.capabilities = capabilities
        excludesOtherWriters = !capabilities.contains(.concurrentWrites)
        self.willWait = willWait
        applied = StoreChangeBuilder(model: model, identifiers: identifiers)
    }

    var needsBaseRows: Bool { false }
    var isTransaction: Bool { share != nil }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        if plan.lock != nil, plan.lockWait.waitsForLocks { willWait() }
        return try session().fetch(plan)
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try session().rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try session().related(plan) }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try session().aggregate(plan) }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        let share = try requireShare()
        isDirty = true
        return try share.reserveKeys(count, rootIndex: rootIndex)
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt {
        let receipt = try changes.apply(to: requireShare().session(), model, capabilities)
        if receipt.conflicts.isEmpty {
            isDirty = true
            let completed = receipt.completed.first ?? changes
            applied.add(completed)
            appliedChanges?.append(completed)
        }
        return receipt
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let receipt = try requireShare().session().perform(batch)
        if receipt.conflicts.isEmpty {
            isDirty = true
            applied.add(receipt, author: batch.author)
        }
        return receipt
    }

    /// The changes to commit and publish; nil if there are none.
    var changes: WriteChanges? { isDirty ? WriteChanges(builder: applied) : nil }

    /// Returns the changes to publish, including those of a deferred save.
    func changes(with deferred: ChangeSet) -> WriteChanges {
        var all = applied
        all.add(deferred)
        return WriteChanges(builder: all)
    }

    private var share: (any WriteShare)? {
        if case .writing(let share) = source { share } else { nil }
    }

    private func session() throws -> any ReadSession {
        switch source {
        case .reading(let session): session
        case .writing(let share): try share.session()
        }
    }

    private func requireShare() throws -> any WriteShare {
        if let share { return share }
        throw StoreError(
            .readOnly, "A read block can't change the store.", remedy: "Use write instead of read.")
    }
}

/// The parent of a long-lived context over a store.
///
/// Each fetch opens a session, unless the context is pinned to one, and each save is a write of the pipeline. Both block the context's
/// thread.
final class StoreParent: LongLivedParent {
    private let pipeline: Pipeline
    private let name: String
    /// The lane of its saves.
    private let lane: String?
    /// The mailbox that receives the commits of other contexts and processes.
    private var inbox: ChangeMailbox?
    private(set) var isPinned = false
    /// The read session of a pinned context; nil before its first request.
    private var pinnedSession: PinnedSession?
    /// The session shared by the requests within ``inOneSnapshot(_:)``.
    private var current: (any ReadSession)?

    init(_ pipeline: Pipeline, name: String, lane: String? = nil) {
        self.pipeline = pipeline
        self.name = name
        self.lane = lane
    }

    deinit { releasePinnedSession() }

    func listen() -> ChangeMailbox {
        let mailbox = pipeline.changes.listen()
        inbox = mailbox
        return mailbox
    }

    func stopCollectingCommits() { inbox = nil }

    // MARK: Pinning

    var canPinSnapshots: Bool { pipeline.coordinator.capabilities.contains(.concurrentReads) }
    var hasPinnedSnapshot: Bool { pinnedSession != nil }
    func pinnedSnapshotToken() -> StoreToken? { pinnedSession?.session.token }

    func releaseSnapshot(isPinned: Bool) {
        self.isPinned = isPinned
        releasePinnedSession()
    }

    private func releasePinnedSession() {
        if let pinnedSession { pipeline.releasePinnedSession(pinnedSession, name: name) }
        pinnedSession = nil
    }

    func pinSnapshot() throws { try read { _ in } }

    // MARK: Parent

    var identifiers: IdentifierSpaces { pipeline.identifiers }
    var needsBaseRows: Bool { false }

    func withSnapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try read { session in
            let outer = current
            current = session
            defer { current = outer }
            return try body()
        }
    }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try read { try $0.fetch(plan) } }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try read { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try read { try $0.related(plan) } }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try read { try $0.aggregate(plan) } }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        if let keys = pipeline.keys.dequeueKeys(count, rootIndex: rootIndex) { return keys }
        let blockSize = max(count, KeyReserve.blockSize)
        let block = try write(writing) { session in
            (try session.reserveKeys(blockSize, rootIndex: rootIndex), .init(builder: changes()))
        }
        return pipeline.keys.dequeueKeys(count, from: block, rootIndex: rootIndex)
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt {
        let receipt = try withRetries { label in
            try write(label) { session in
                let receipt = try changes.apply(to: session, model, pipeline.coordinator.capabilities)
                guard receipt.conflicts.isEmpty else { return (receipt, nil) }
                var builder = self.changes()
                builder.add(receipt.completed.first ?? changes)
                return (receipt, .init(builder: builder, own: inbox))
            }
        }
        // The pinned session sees neither the saved changes nor the conflicting rows, which are read next.
        releasePinnedSession()
        return receipt
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let receipt = try withRetries { label in
            try write(label) { session in
                let receipt = try session.perform(batch)
                guard receipt.conflicts.isEmpty else { return (receipt, nil) }
                var builder = changes()
                builder.add(receipt, author: batch.author)
                return (receipt, .init(builder: builder, own: inbox))
            }
        }
        releasePinnedSession()
        return receipt
    }

    /// Runs a write, and retries it if it fails because of another transaction.
    ///
    /// A retry is safe: a change set checks its base versions each time it is applied, and a batch evaluates its predicate again.
    private func withRetries<Value>(_ work: (OperationLabel) throws -> Value) throws -> Value {
        let retryPolicy = RetryPolicy(pipeline, writing, limit: Self.retryLimit, after: [.contention])
        do {
            return try retryPolicy.run(work)
        } catch let error as StoreError where error.code == .contention {
            throw StoreError(
                .contention,
                "A write of context “\(name)” conflicted with other transactions, even after \(Self.retryLimit) retries. "
                    + "Nothing was saved.",
                remedy: "Save again: the context still has its changes.", detail: error.detail, cause: error)
        }
    }

    private static let retryLimit = 5

    private var model: ObjectModel { pipeline.coordinator.model }

    private func changes() -> StoreChangeBuilder {
        StoreChangeBuilder(model: pipeline.coordinator.model, identifiers: identifiers)
    }

    private func read<Value>(_ body: (any ReadSession) throws -> Value) throws -> Value {
        if let current { return try body(current) }
        let label = OperationLabel(kind: .read, identifier: name)
        return try pipeline.readAndWait(label) {
            if isPinned {
                let pinnedSession = try pinnedSession ?? pipeline.pinSnapshot(name: name)
                self.pinnedSession = pinnedSession
                return try RunningOperation.run(label, context: nil, of: pipeline) {
                    try body(pinnedSession.session)
                }
            }
            let session = try pipeline.coordinator.openReadSession(.forContext(named: name))
            defer { session.end() }
            return try RunningOperation.run(label, context: nil, of: pipeline) { try body(session) }
        }
    }

    private var writing: OperationLabel { OperationLabel(kind: .write, identifier: name, lane: lane) }

    private func write<Value>(
        _ label: OperationLabel, _ work: (any WriteSession) throws -> (Value, WriteChanges?)
    ) throws -> Value {
        let result = BlockValue<Value>()
        // A long-lived context's block runs whether or not its task is cancelled, and so do its saves.
        try pipeline.writeAndWait(label, isCancellable: false) { share in
            let (value, changes) = try RunningOperation.run(label, context: nil, of: pipeline) {
                try work(share.session())
            }
            result.set(value)
            return WriteOutcome(changes)
        }
        return result.get()
    }
}

/// The turn of a write: it runs in the group of its lane, and commits the group unless the next write takes it over.
struct WriteTurn: Sendable {
    private let pipeline: Pipeline
    private let label: OperationLabel
    private let options: SessionOptions
    /// Whether the thread is free for other work once the write has handed its group over.
    private let freesThread: Bool

    init(_ pipeline: Pipeline, _ label: OperationLabel, isCancellable: Bool, freesThread: Bool = false) {
        self.pipeline = pipeline
        self.label = label
        self.freesThread = freesThread
        var options = SessionOptions(
            identifier: label.identifier, lane: label.lane, isCancellable: isCancellable)
        options.isolation = label.isolation
        options.defersExternalValues = true
        self.options = options
    }

    /// Runs the work, and commits it or hands the group over to the next write.
    ///
    /// - Returns: The waiter for the commit, if a later write makes it; nil if it is committed.
    /// - Throws: The error of the work, whose changes are rolled back, or the error of the commit.
    func run(
        _ ticket: PipelineTicket, _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> OutcomeWaiter? {
        let group = try joinGroup()
        let (start, waited) = (pipeline.now(), group.waited)
        let performed = Result {
            try group.perform(
                options, hasWaitingWrites: { pipeline.lanes.groupsCommits && pipeline.hasWaitingWrites }, work
            )
        }
        let work = start.duration(to: pipeline.now()) - (group.waited - waited)
        pipeline.lanes.recordWork(work, of: label.identifier)
        if let commit = handOverGroup(group, ticket, performed) {
            _ = try performed.get()
            return commit
        }
        let hasCommitted = Result { try commit(group, ticket) }
        // The error of the write itself is more specific than that of the commit.
        if case .failure(let error)? = try performed.get()?.outcome { throw error }
        try hasCommitted.get()
        return nil
    }

    /// Returns the group that the previous write has left open, or a new one.
    private func joinGroup() throws -> any WriteGroup {
        if mayShare, let group = pipeline.lanes.removeGroup(lane) { return group }
        let (coordinator, feed) = (pipeline.coordinator, pipeline.feed)
        if coordinator.capabilities.contains(.concurrentWrites) {
            return ConcurrentWriteGroup(coordinator, feed, now: pipeline.now)
        }
        return SharedTransactionGroup(try coordinator.openWriteSession(options), feed, began: pipeline.now())
    }

    /// Whether the write may share a group: the writes of its lane run one at a time.
    private var mayShare: Bool { pipeline.writesOneAtATime || label.lane != nil }

    /// The key of the group; if writes run one at a time, all of them share one group.
    private var lane: String { pipeline.writesOneAtATime ? "" : label.lane ?? "" }

    /// Hands the group over to the next write, if one is waiting that may join; returns the waiter for its commit.
    private func handOverGroup(
        _ group: any WriteGroup, _ ticket: PipelineTicket, _ performed: Result<WriteMember?, any Error>
    ) -> OutcomeWaiter? {
        guard mayShare, group.isWorthJoining, pipeline.hasWaitingWrites else { return nil }
        let (pipeline, now) = (pipeline, pipeline.now())
        let (hasFailed, member) =
            switch performed {
            case .success(let member): (false, member)
            case .failure: (true, nil)
            }
        let commit = group.wait(as: ticket, member)
        let joining = (count: group.count, began: group.began)
        // The next write removes the group as soon as its turn comes, so the group must be stored before.
        pipeline.lanes.storeGroup(group, in: lane)
        let isHandedOver = pipeline.handOver(
            ticket, lane: label.lane, awaitsCommit: !hasFailed, freesThread: freesThread
        ) { next in
            pipeline.lanes.mayJoin(joining.count, began: joining.began, at: now, next.identifier)
        }
        if isHandedOver { return commit }
        pipeline.lanes.discardGroup(lane)
        group.stopWaiting()
        return nil
    }

    private func commit(_ group: any WriteGroup, _ ticket: PipelineTicket) throws {
        let start = pipeline.now()
        let (outcome, completed) = group.commit()
        if !completed.isEmpty {
            // Delivering outcomes may run code of the program, for which the next write must not wait.
            pipeline.whenFinished(ticket) { [pipeline] in
                pipeline.removeCommitted(completed.map(\.ticket)) {
                    for completed in completed { completed.commit.resume(completed.outcome) }
                }
            }
        }
        try outcome.get()
        if group.isDirty { pipeline.lanes.recordCommit(start.duration(to: pipeline.now())) }
    }
}

/// A write whose turn has come: it works in its lane's group, and commits it unless the next write does.
struct WriteTurn: Sendable {
    private let pipeline: Pipeline
    private let label: OperationLabel
    private let options: SessionOptions
    /// Whether its thread has nothing to do but to look for work when the write has left its place to another.
    private let freesThread: Bool

    init(_ pipeline: Pipeline, _ label: OperationLabel, heedsCancellation: Bool, freesThread: Bool = false) {
        self.pipeline = pipeline
        self.label = label
        self.freesThread = freesThread
        var options = SessionOptions(
            identifier: label.identifier, lane: label.lane, heedsCancellation: heedsCancellation)
        options.isolation = label.isolation
        options.defersExternalValues = true
        self.options = options
    }

    /// Does the work, and answers what tells of the commit, if another write makes that later.
    ///
    /// - Throws: What the work throws, and then nothing of it is in the store; or what the commit throws, if it is made here.
    func run(
        _ ticket: PipelineTicket, _ work: (any WriteShare) throws -> WriteOutcome
    ) throws -> OutcomeWaiter? {
        let group = try takeGroup()
        let (start, waited) = (pipeline.now(), group.waited)
        let performed = Result {
            try group.perform(
                options, isFollowed: { pipeline.lanes.groupsCommits && pipeline.hasWaitingWrites }, work)
        }
        let work = start.duration(to: pipeline.now()) - (group.waited - waited)
        pipeline.lanes.noteWork(work, of: label.identifier)
        if let commit = leave(group, ticket, performed) {
            _ = try performed.get()
            return commit
        }
        let hasCommitted = Result { try commit(group, ticket) }
        // An error of the work's own says more.
        if case .failure(let error)? = try performed.get()?.outcome { throw error }
        try hasCommitted.get()
        return nil
    }

    /// Takes what the write before has left, or begins anew.
    private func takeGroup() throws -> any WriteGroup {
        if mayShare, let group = pipeline.lanes.takeGroup(lane) { return group }
        let (coordinator, feed) = (pipeline.coordinator, pipeline.feed)
        if coordinator.capabilities.contains(.concurrentWrites) {
            return GatheredSaves(coordinator, feed, now: pipeline.now)
        }
        return SharedTransaction(try coordinator.openWriteSession(options), feed, began: pipeline.now())
    }

    /// Whether a write comes after this one, and no other runs meanwhile that could take what is left to it.
    private var mayShare: Bool { pipeline.writesOneAtATime || label.lane != nil }

    /// The lane that the writes share what they leave in; all of them have one where they run one at a time.
    private var lane: String { pipeline.writesOneAtATime ? "" : label.lane ?? "" }

    /// Leaves the group to the next write, if there is one that may have it.
    private func leave(
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
        // From the moment when its turn comes the next one has the group.
        pipeline.lanes.leave(group, in: lane)
        let isLeft = pipeline.handOver(
            ticket, lane: label.lane, awaitsCommit: !hasFailed, freesThread: freesThread
        ) { next in
            pipeline.lanes.mayJoin(joining.count, began: joining.began, at: now, next.identifier)
        }
        if isLeft { return commit }
        pipeline.lanes.takeBack(lane)
        group.stopWaiting()
        return nil
    }

    private func commit(_ group: any WriteGroup, _ ticket: PipelineTicket) throws {
        let start = pipeline.now()
        let (outcome, told) = group.commit()
        if !told.isEmpty {
            // Being told may run the program's code, for which no other write is to wait.
            pipeline.whenFinished(ticket) { [pipeline] in
                pipeline.settle(told.map(\.ticket))
                for told in told { told.commit.resume(told.outcome) }
            }
        }
        try outcome.get()
        if group.isDirty { pipeline.lanes.noteCommit(start.duration(to: pipeline.now())) }
    }
}

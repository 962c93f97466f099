/// A write whose turn has come: it works in its lane's session, and commits it unless the next write does.
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
        options.mayBeginLate = true
        options.defersExternalValues = true
        self.options = options
    }

    /// Does the work, and answers what tells of the commit, if another write makes that later.
    ///
    /// - Throws: What the work throws, and then nothing of it is in the store; or what the commit throws, if it is made here.
    func run(_ ticket: PipelineTicket, _ work: (WriteShare) throws -> WriteOutcome) throws -> OutcomeWaiter? {
        let group =
            try pipeline.lanes.takeGroup(label.lane)
            ?? WriteGroup(pipeline.coordinator.openWriteSession(options), now: pipeline.now)
        let (start, waited) = (pipeline.now(), group.waited)
        let share = WriteShare(group, options) { pipeline.lanes.groupsCommits && pipeline.hasWaitingWrites }
        let performed = Result { try group.perform(share, work) }
        let work = start.duration(to: pipeline.now()) - (group.waited - waited)
        pipeline.lanes.noteWork(work, of: label.identifier)
        if let commit = leave(group, ticket, performed) {
            _ = try performed.get()
            return commit
        }
        let hasCommitted = Result { try commit(group, ticket) }
        // An error of the work's own says more.
        if let failure = try performed.get()?.failure { throw failure }
        try hasCommitted.get()
        return nil
    }

    /// Leaves the session to the next write, if there is one that may have it.
    private func leave(
        _ group: WriteGroup, _ ticket: PipelineTicket, _ performed: Result<WriteGroup.Member?, any Error>
    ) -> OutcomeWaiter? {
        guard group.isWorthJoining, pipeline.hasWaitingWrites else { return nil }
        let (pipeline, now) = (pipeline, pipeline.now())
        let (hasFailed, member) =
            switch performed {
            case .success(let member): (false, member)
            case .failure: (true, nil)
            }
        let commit = group.wait(as: ticket, member)
        // From the moment when its turn comes the next one has the group.
        pipeline.lanes.leave(group, in: label.lane)
        let isLeft = pipeline.handOver(
            ticket, lane: label.lane, awaitsCommit: !hasFailed, freesThread: freesThread
        ) { next in
            pipeline.lanes.mayJoin(group, at: now, next.identifier)
        }
        if isLeft { return commit }
        pipeline.lanes.takeBack(label.lane)
        group.stopWaiting()
        return nil
    }

    private func commit(_ group: WriteGroup, _ ticket: PipelineTicket) throws {
        let start = pipeline.now()
        let (outcome, told) = group.commit(to: pipeline.feed)
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

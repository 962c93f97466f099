/// A write whose turn has come: it works in its lane's session, and commits it unless the next write does.
struct WriteTurn: Sendable {
    private let pipeline: Pipeline
    private let label: OperationLabel
    private let options: SessionOptions

    init(_ pipeline: Pipeline, _ label: OperationLabel, heedsCancellation: Bool) {
        self.pipeline = pipeline
        self.label = label
        var options = SessionOptions(
            identifier: label.identifier, lane: label.lane, heedsCancellation: heedsCancellation)
        options.mayBeginLate = true
        self.options = options
    }

    /// What a write's work came to, and its commit, if another write makes that later.
    struct Written<Value> {
        let value: Value
        let commit: OutcomeWaiter?
    }

    /// Does the work.
    ///
    /// - Throws: What the work throws, and then nothing of it is in the store; or what the commit throws, if it is made here.
    func run<Value>(
        _ turn: BegunTurn, _ work: (WriteShare) throws -> WriteResult<Value>
    ) throws -> Written<Value> {
        let group =
            try pipeline.lanes.takeGroup(label.lane)
            ?? WriteGroup(pipeline.coordinator.openWriteSession(options), now: pipeline.now)
        let (start, waited) = (pipeline.now(), group.waited)
        let share = WriteShare(group, options) { pipeline.lanes.groupsCommits && pipeline.hasWaitingWrites }
        let result = Result { try group.perform(share, work) }
        let work = start.duration(to: pipeline.now()) - (group.waited - waited)
        pipeline.lanes.noteWork(work, of: label.identifier)
        if let commit = leave(group, turn, result) {
            return Written(value: try result.get().value, commit: commit)
        }
        let hasCommitted = Result { try commit(group, turn.ticket) }
        // An error of the work's own says more.
        let performed = try result.get()
        if let failure = performed.member?.failure { throw failure }
        try hasCommitted.get()
        return Written(value: performed.value, commit: nil)
    }

    /// Leaves the session to the next write, if there is one that may have it.
    private func leave<Value>(
        _ group: WriteGroup, _ turn: BegunTurn, _ result: Result<WriteGroup.Performed<Value>, any Error>
    ) -> OutcomeWaiter? {
        guard group.isWorthJoining, pipeline.hasWaitingWrites else { return nil }
        let performed = try? result.get()
        let (pipeline, now) = (pipeline, pipeline.now())
        let commit = group.wait(as: turn.ticket, performed?.member)
        // From the moment when its turn comes the next one has the group.
        pipeline.lanes.leave(group, in: label.lane)
        let isLeft = pipeline.handOver(
            turn.ticket, lane: label.lane, awaitsCommit: performed != nil, takesOver: turn.isOnLentThread
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
        // Being told may run the program's code, for which no other write is to wait.
        pipeline.whenFinished(ticket) { [pipeline] in
            pipeline.settle(told.map(\.ticket))
            for told in told { told.commit.resume(told.outcome) }
        }
        try outcome.get()
        if group.isDirty { pipeline.lanes.noteCommit(start.duration(to: pipeline.now())) }
    }
}

extension WriteTurn.Written: Sendable where Value: Sendable {}

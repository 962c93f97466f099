/// A write whose turn has come: it works in its lane's session, and commits it unless the next write does.
struct WriteTurn: Sendable {
    private let pipeline: Pipeline
    private let label: OperationLabel
    private let options: SessionOptions

    init(_ pipeline: Pipeline, _ label: OperationLabel, heedsCancellation: Bool) {
        self.pipeline = pipeline
        self.label = label
        options = SessionOptions(
            identifier: label.identifier, lane: label.lane, heedsCancellation: heedsCancellation)
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
        _ turn: BegunTurn, _ work: (any WriteSession) throws -> WriteResult<Value>
    ) throws -> Written<Value> {
        let group =
            try pipeline.lanes.takeGroup(label.lane)
            ?? WriteGroup(pipeline.coordinator.openWriteSession(options), at: pipeline.now())
        let start = pipeline.now()
        let result = Result { try group.perform(options, work) }
        pipeline.lanes.noteWork(start.duration(to: pipeline.now()), of: label.identifier)
        let isDone = if case .success = result { true } else { false }
        if let commit = leave(group, turn, isDone: isDone) {
            return Written(value: try result.get(), commit: commit)
        }
        let hasCommitted = Result { try commit(group, turn.ticket) }
        // An error of the work's own says more.
        let value = try result.get()
        try hasCommitted.get()
        return Written(value: value, commit: nil)
    }

    /// Leaves the session to the next write, if there is one that may have it.
    private func leave(_ group: WriteGroup, _ turn: BegunTurn, isDone: Bool) -> OutcomeWaiter? {
        guard group.isWorthJoining, pipeline.hasWaitingWrites else { return nil }
        let (pipeline, now, commit) = (pipeline, pipeline.now(), group.wait(as: turn.ticket))
        // From the moment when its turn comes the next one has the group.
        pipeline.lanes.leave(group, in: label.lane)
        let isLeft = pipeline.handOver(
            turn.ticket, lane: label.lane, awaitsCommit: isDone, takesOver: turn.isOnLentThread
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
        let (outcome, waiters) = group.commit(to: pipeline.feed)
        // Being told may run the program's code, for which no other write is to wait.
        pipeline.whenFinished(ticket) { [pipeline] in
            pipeline.settle(waiters.map(\.ticket))
            for waiter in waiters { waiter.commit.resume(outcome) }
        }
        try outcome.get()
        if group.isDirty { pipeline.lanes.noteCommit(start.duration(to: pipeline.now())) }
    }
}

extension WriteTurn.Written: Sendable where Value: Sendable {}

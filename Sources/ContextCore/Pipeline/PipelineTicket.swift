/// An operation's place in the order of submission.
struct PipelineTicket: PlainlyHashed, Comparable, Sendable {
    let number: UInt64

    var hashBits: UInt { UInt(truncatingIfNeeded: number) }

    static func < (left: PipelineTicket, right: PipelineTicket) -> Bool { left.number < right.number }
}

/// A place in the order of submission that a task will come to.
struct PipelinePlace: Sendable {
    /// What keeps the task until its turn has come; nil where it has begun on the thread that it is on.
    let executor: TurnExecutor?
    let ticket: PipelineTicket
    let watch: OperationWatch
}

/// An operation's position in the order of submission.
struct PipelineTicket: FastHashable, Comparable, Sendable {
    let number: UInt64

    var hashBits: UInt { UInt(truncatingIfNeeded: number) }

    static func < (left: PipelineTicket, right: PipelineTicket) -> Bool { left.number < right.number }
}

/// The ticket of a task's operation, and the executor that the task waits on.
struct PipelineSubmission: Sendable {
    /// The executor on which the task waits for its turn; nil if the operation started at once on the task's thread.
    let executor: TurnExecutor?
    let ticket: PipelineTicket
    let timer: OperationTimer
}

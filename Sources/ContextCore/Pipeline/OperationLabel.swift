/// Names an operation wherever one is reported: `write "new game"`.
struct OperationLabel: Sendable, CustomStringConvertible {
    let kind: PipelineQueue.Kind
    let identifier: String
    /// The lane of a write.
    var lane = SessionOptions.mainLane
    /// Whether the operation puts something away: it is neither refused for want of room nor cancelled by its name.
    var isHousekeeping = false

    var description: String { "\(kind) \"\(identifier)\"" }
}

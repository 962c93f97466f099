/// Names an operation wherever one is reported: `write "new game"`.
struct OperationLabel: Sendable, CustomStringConvertible {
    let kind: PipelineQueue.Kind
    let identifier: String
    /// The lane of a write.
    var lane = SessionOptions.mainLane

    var description: String { "\(kind) \"\(identifier)\"" }
}

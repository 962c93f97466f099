/// Names an operation wherever one is reported: `write "new game"`.
struct OperationLabel: Sendable, CustomStringConvertible {
    let kind: PipelineQueue.Kind
    let identifier: String

    var description: String { "\(kind) \"\(identifier)\"" }
}

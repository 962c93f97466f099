/// An operation that a program has submitted to a store, or an attempt at one that is retried.
public struct SubmittedOperation: Sendable {
    /// The name that the caller gave the operation, or the call site: `Games/Play.swift:73`.
    public let identifier: String
    /// Whether the operation reads or writes.
    public let kind: OperationInfo.Kind
    /// The lane of a write; nil if it has none.
    public let lane: String?
    /// Whether an earlier attempt at the operation failed with a transient error, such as a conflict.
    public let isRetry: Bool
    /// The database of the store; nil for a store without one.
    public let database: DatabaseName?

    init(_ label: OperationLabel, _ database: DatabaseName?) {
        identifier = label.identifier
        kind = OperationInfo.Kind(label.kind)
        lane = label.lane
        isRetry = label.isRetry
        self.database = database
    }
}

/// The description of an operation in errors and reports: `write "new game"`, or `write at Games/Play.swift:73`.
struct OperationLabel: Sendable, CustomStringConvertible {
    let kind: PipelineQueue.Kind
    /// The name that the program gave the operation, or the call site.
    let identifier: String
    /// Whether the program gave the operation a name.
    var isNamed = true
    /// The lane of a write; writes of one lane keep their order.
    var lane: String?
    /// The isolation level of a write; nil for the store's default.
    var isolation: WriteIsolation?
    /// What happens if the queue is full; nil for ``StoreOptions/overflow``.
    var overflow: StoreOptions.OverflowPolicy?
    /// Whether the operation releases resources, and so ignores the waiting limit and can't be cancelled by name.
    var isCleanup = false
    /// Whether this is a retry of an accepted operation, which ignores the waiting limit.
    var isRetry = false
    /// The identity that all attempts at an operation share; nil for an operation without retries.
    var operation: RetriedOperation?

    var description: String { isNamed ? "\(kind) \"\(identifier)\"" : "\(kind) at \(identifier)" }
}

/// The identity of an operation that may be retried; its attempts and delays have separate tickets.
final class RetriedOperation: Sendable {}

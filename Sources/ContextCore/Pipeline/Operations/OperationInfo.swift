/// An operation of a store that is waiting or running.
public struct OperationInfo: Sendable, Hashable {
    /// Whether an operation reads or writes.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Reads one snapshot of the store.
        case read
        /// Changes the store.
        case write
    }

    /// The name that the caller gave the operation, or the call site: `Games/Play.swift:73`.
    public let identifier: String
    /// Whether the operation reads or writes.
    public let kind: Kind
    /// The lane of a write; nil if it has none.
    public let lane: String?
    /// Whether the operation is running; otherwise it is waiting.
    public let isRunning: Bool
    /// The time since the operation was submitted; for a retried one, since its last attempt was submitted or its delay started.
    public let age: Duration

    init(_ label: OperationLabel, isRunning: Bool, age: Duration) {
        identifier = label.identifier
        kind = Kind(label.kind)
        lane = label.lane
        self.isRunning = isRunning
        self.age = age
    }
}

extension OperationInfo.Kind {
    init(_ kind: PipelineQueue.Kind) {
        switch kind {
        case .read: self = .read
        case .write: self = .write
        }
    }
}

/// A report about an operation that has ended, or an attempt at one that is retried, for metrics.
public struct OperationReport: Sendable {
    /// How an operation ended.
    public enum Outcome: Sendable, Hashable {
        /// The operation succeeded; the changes of a write are committed.
        case done
        /// The operation failed with this code (nil for an error that isn't a ``StoreError``), and changed nothing in the store.
        case failed(StoreError.Code?)
    }

    /// The name that the caller gave the operation, or the call site: `Games/Play.swift:73`.
    public let identifier: String
    /// Whether the operation read or wrote.
    public let kind: OperationInfo.Kind
    /// The lane of a write; nil if it has none.
    public let lane: String?
    /// Whether an earlier attempt at the operation failed with a transient error, such as a conflict; each attempt has a report.
    public let isRetry: Bool
    /// How long the operation waited for its turn.
    public let waited: Duration
    /// How long the operation ran, including its commit; zero if its turn never came.
    public let ran: Duration
    /// How the operation ended.
    public let outcome: Outcome
}

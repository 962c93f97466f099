/// An operation that waits for its turn in a store, or that runs.
public struct OperationInfo: Sendable, Hashable {
    /// What an operation does to the store.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// It reads one moment.
        case read
        /// It changes the store.
        case write
    }

    /// The name that it was submitted with, or else the place in the program: `Games/Play.swift:73`.
    public let identifier: String
    /// What it does.
    public let kind: Kind
    /// The lane of a write; nil where it has none.
    public let lane: String?
    /// Whether it runs; otherwise it waits.
    public let isRunning: Bool
    /// How long ago it was submitted; of one that is run again, how long ago its last attempt was, or the pause after that began.
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

/// An operation of a store that has come to its end, for whoever measures.
public struct OperationReport: Sendable {
    /// How an operation ended.
    public enum Outcome: Sendable, Hashable {
        /// It returned; a write is in the store.
        case done
        /// It threw this error, and left nothing in the store.
        case failed(StoreError.Code?)
    }

    /// The name that it was submitted with, or else the place in the program: `Games/Play.swift:73`.
    public let identifier: String
    /// What it did.
    public let kind: OperationInfo.Kind
    /// The lane of a write; nil where it has none.
    public let lane: String?
    /// How long it waited for its turn.
    public let waited: Duration
    /// How long it ran, with its commit; zero if its turn never came.
    public let ran: Duration
    /// How it ended.
    public let outcome: Outcome
}

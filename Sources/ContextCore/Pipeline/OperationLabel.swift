/// Names an operation wherever one is reported: `write "new game"`, or `write at Games/Play.swift:73`.
struct OperationLabel: Sendable, CustomStringConvertible {
    let kind: PipelineQueue.Kind
    /// The name that the program gave it, or the place where it was submitted.
    let identifier: String
    /// Whether the program gave it a name.
    var isNamed = true
    /// The lane of a write that keeps an order with others.
    var lane: String?
    /// What a write is protected from; nil for what the store is configured for.
    var isolation: WriteIsolation?
    /// What becomes of it when as many wait as may; nil for what the store's options say.
    var whenFull: StoreOptions.WhenFull?
    /// Whether the operation puts something away: it is neither refused for want of room nor cancelled by its name.
    var isHousekeeping = false
    /// Whether it was accepted before, and is done again: then it isn't refused for want of room.
    var isRepeated = false
    /// What all attempts at an operation have in common that may be done again.
    var operation: RepeatedOperation?

    var description: String { isNamed ? "\(kind) \"\(identifier)\"" : "\(kind) at \(identifier)" }
}

/// An operation that may be done again: it is one, whatever places in the order its attempts and pauses have.
final class RepeatedOperation: Sendable {}

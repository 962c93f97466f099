/// Where an object stands between its context and the store.
public enum ObjectState: UInt8, Sendable {
    /// Inserted, and not saved yet.
    case inserted
    /// As it was last saved.
    case unchanged
    /// Changed since it was last saved.
    case updated
    /// Deleted, which the next save makes final.
    case deleted
    /// No longer, or never, part of a context: its deletion was saved, or its insertion undone.
    case detached
}

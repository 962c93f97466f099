/// The state of an object relative to the store.
public enum ObjectState: UInt8, Sendable {
    /// The object was inserted and not saved.
    case inserted
    /// The object has no unsaved changes.
    case unchanged
    /// The object has unsaved changes.
    case updated
    /// The object was deleted; the next save deletes its row.
    case deleted
    /// The object is not part of a context: its deletion was saved, its insertion was undone, or the context was reset.
    case detached
}

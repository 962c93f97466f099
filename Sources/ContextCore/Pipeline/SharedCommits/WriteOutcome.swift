/// The result of a write's work.
enum WriteOutcome {
    case unchanged
    /// Changes to commit and publish.
    case changed(WriteChanges)
    /// The last save was deferred to the group.
    case deferred(DeferredWork)

    init(_ changes: WriteChanges?) {
        self = changes.map { .changed($0) } ?? .unchanged
    }
}

/// A deferred save, and the functions that apply it.
struct DeferredWork {
    let changes: ChangeSet
    /// Marks the objects as saved.
    let accept: () -> Void
    /// Returns the changes to publish after the commit.
    let published: () -> WriteChanges
    /// Applies the changes with conflict handling, and returns the changes to commit and publish.
    let saveAlone: () throws -> WriteChanges?
}

/// What a write's work comes to.
enum WriteOutcome {
    case unchanged
    /// What is to be committed and published.
    case changed(WriteChanges)
    /// What is left to be applied.
    case left(LeftWork)

    init(_ changes: WriteChanges?) {
        self = changes.map { .changed($0) } ?? .unchanged
    }
}

/// What a write has changed, and the mailbox of whoever changed it, and knows it.
struct WriteChanges {
    let builder: StoreChangeBuilder
    var own: ChangeMailbox?
}

/// What a write has left to its group: its last save, as long as it isn't applied.
struct LeftWork {
    let changes: ChangeSet
    /// Lets the objects be what has been saved.
    let accept: () -> Void
    /// What is to be published when all is committed.
    let published: () -> WriteChanges
    /// Applies the changes by themselves, and deals with what stands in their way; answers what is to be committed and published.
    let saveAlone: () throws -> WriteChanges?
}

/// The changes of a write, and the mailbox of the context that made them, which isn't notified.
struct WriteChanges {
    let builder: StoreChangeBuilder
    var own: ChangeMailbox?
}

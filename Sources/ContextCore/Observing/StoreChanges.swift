/// An asynchronous sequence of the changes committed to a store, in the order of the commits.
///
/// ```swift
/// for await change in store.changes { show(change.inserted) }
/// ```
///
/// It contains all changes committed after its creation, no matter when the iteration starts. No change is lost, and memory is bounded: up
/// to 64 changes wait for a slow consumer, and further ones are merged. If they list more than 10,000 objects, they are replaced by one
/// change without lists, which means that any object may have changed (``StoreChange/isComplete``). The
/// sequence ends when the store is closed or the task is cancelled. Several iterators over one sequence share its changes: each change is
/// delivered to one of them.
public struct StoreChanges: AsyncSequence, Sendable {
    let mailbox: ChangeMailbox

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: ChangeMailbox

        public mutating func next() async -> StoreChange? { await mailbox.next() }
    }
}

/// The changes that are committed to a store, one after the other, in the order of the commits.
///
/// ```swift
/// for await change in store.changes { show(change.inserted) }
/// ```
///
/// It begins when it is made: what is committed later is in it, whoever looks at it when. It never misses a change and holds bounded
/// memory: up to 64 changes wait for a slow consumer; the newest of more are made one; and where they would list more than 10,000
/// objects, one change without lists says that any object may have changed (``StoreChange/isComplete``). It ends when the store is
/// closed or the task cancelled. Each change goes to one of those that iterate over the same sequence.
public struct StoreChanges: AsyncSequence, Sendable {
    let mailbox: ChangeMailbox

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// Waits for one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: ChangeMailbox

        public mutating func next() async -> StoreChange? { await mailbox.next() }
    }
}

/// What changes in the results of a controller, one difference after the other, for a consumer in any isolation.
///
/// ```swift
/// for await difference in controller.changes { table.apply(difference) }
/// ```
///
/// The differences build on each other: whoever carries out each of them has the list of the last one's
/// ``ResultsDifference/snapshot``. While a consumer is away they are made one, so a slow one holds no more memory than two lists. The
/// sequence goes on without its controller; it ends when the context goes away, or the task is cancelled. Each difference goes to one of
/// those that iterate over the same sequence.
public struct ResultsChanges: AsyncSequence, Sendable {
    let mailbox: ResultsMailbox

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// Waits for one difference after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: ResultsMailbox

        public mutating func next() async -> ResultsDifference? { await mailbox.next()?.difference }
    }
}

/// An asynchronous sequence of the differences of a controller's results, for a consumer in any isolation.
///
/// ```swift
/// for await difference in controller.changes { table.apply(difference) }
/// ```
///
/// Each difference starts from the list of the previous one: applying all of them yields the last ``ResultsDifference/snapshot``. While the
/// consumer is busy they are merged, so a slow consumer costs no more memory than two lists. The sequence outlives its controller; it
/// ends when the context is released, or the task is cancelled. Several iterators over one sequence share its differences: each is
/// delivered to one of them.
public struct ResultsChanges: AsyncSequence, Sendable {
    let mailbox: ResultsMailbox

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: ResultsMailbox

        public mutating func next() async -> ResultsDifference? { await mailbox.next()?.difference }
    }
}

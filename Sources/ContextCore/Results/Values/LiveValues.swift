/// An asynchronous sequence of the values of a ``LiveValue``, for a consumer in any isolation.
///
/// While the consumer is busy, only the newest value waits for it. Several iterators over one sequence share its values: each is delivered
/// to one of them.
public struct LiveValues<Value: AttributeValue>: AsyncSequence, Sendable {
    let box: ValueMailbox<Value>

    public func makeAsyncIterator() -> Iterator { Iterator(box: box) }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        let box: ValueMailbox<Value>

        public mutating func next() async -> Value? { await box.next() }
    }
}

/// A mailbox that stores the newest value until the consumer receives it.
final class ValueMailbox<Value: AttributeValue>: Sendable {
    private struct Content: InboxContent {
        var newest: Value?
        /// The value that the consumer received last.
        var delivered: StoredValue?

        mutating func removeNext() -> Value? {
            defer { newest = nil }
            // The value may have changed back to the one that the consumer has.
            guard let newest, newest.storedValue != delivered else { return nil }
            delivered = newest.storedValue
            return newest
        }
    }

    private let inbox: Inbox<Content>

    init(_ value: Value) { inbox = Inbox(Content(newest: value)) }

    /// Replaces the newest value.
    func post(_ value: Value) { inbox.update { $0.newest = value } }

    /// Closes the mailbox; the consumer still receives a waiting value.
    func close() { inbox.close() }

    /// Waits for a new value and returns it; nil once the mailbox is closed and empty, or if the task is cancelled.
    func next() async -> Value? { await inbox.next() }
}

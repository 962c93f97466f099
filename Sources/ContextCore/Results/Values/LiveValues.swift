/// What a ``LiveValue`` becomes, one value after the other, for a consumer in any isolation.
///
/// While the consumer is away, the newest value is kept and no other. Each value goes to one of those that iterate over the same
/// sequence.
public struct LiveValues<Value: AttributeValue>: AsyncSequence, Sendable {
    let box: ValueMailbox<Value>

    public func makeAsyncIterator() -> Iterator { Iterator(box: box) }

    /// Waits for one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let box: ValueMailbox<Value>

        public mutating func next() async -> Value? { await box.next() }
    }
}

/// The newest value, until a consumer has taken it.
final class ValueMailbox<Value: AttributeValue>: Sendable {
    private struct Content: InboxContent {
        var newest: Value?
        /// What the consumer has taken last.
        var taken: StoredValue?

        mutating func take() -> Value? {
            defer { newest = nil }
            // It may have become something else in between, and the same again.
            guard let newest, newest.storedValue != taken else { return nil }
            taken = newest.storedValue
            return newest
        }
    }

    private let inbox: Inbox<Content>

    init(_ value: Value) { inbox = Inbox(Content(newest: value)) }

    /// Puts a value in the place of the one before.
    func post(_ value: Value) { inbox.put { $0.newest = value } }

    /// Says that nothing will come any more; what is there may still be taken.
    func close() { inbox.close() }

    /// The newest value, once there is one that was not taken; nil once the box is closed and empty, or the task is cancelled.
    func next() async -> Value? { await inbox.next() }
}

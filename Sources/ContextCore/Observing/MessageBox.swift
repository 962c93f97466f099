/// A message about changed objects, which can be merged with the next one.
protocol QueuedMessage: Sendable {
    /// The number of listed objects.
    var count: Int { get }
    /// Returns this message merged with the next one.
    func followed(by next: Self) -> Self
    /// This message without its list of objects.
    var withoutObjectList: Self { get }
}

/// A mailbox of commits for a context or a consumer.
typealias ChangeMailbox = MessageBox<StoreChange>

/// A queue of messages for a consumer, in bounded memory.
///
/// No message is lost. If more than ``capacity`` messages wait, the newest ones are merged. If the messages list more than
/// ``objectCapacity`` objects together, all are merged into one message without a list, which means that any object may have changed.
final class MessageBox<Message: QueuedMessage>: Sendable {
    /// The maximum number of waiting messages.
    static var capacity: Int { 64 }
    /// The maximum number of objects that the waiting messages list together.
    static var objectCapacity: Int { 10_000 }

    private struct Content: InboxContent {
        var pending: [Message] = []
        /// Called when a message arrives, once until messages are removed.
        var onMessage: (@Sendable () -> Void)?
        /// Whether `onMessage` was called since messages were last removed.
        var isNotified = false

        mutating func append(_ message: Message) {
            if pending.count >= MessageBox.capacity, let last = pending.popLast() {
                pending.append(last.followed(by: message))
            } else {
                pending.append(message)
            }
            let count = pending.reduce(0) { $0 + $1.count }
            if pending.count > 1, count > MessageBox.objectCapacity, let first = pending.first {
                // A message without a list stands for all changes, so every message is merged into it.
                pending = [
                    pending.dropFirst().reduce(first.withoutObjectList) {
                        $0.followed(by: $1.withoutObjectList)
                    }
                ]
            }
        }

        mutating func removeNext() -> Message? { pending.isEmpty ? nil : pending.removeFirst() }

        mutating func arrivalHandler() -> (@Sendable () -> Void)? {
            if pending.isEmpty || isNotified { return nil }
            isNotified = true
            return onMessage
        }
    }

    private let inbox = Inbox(Content())

    /// Adds a message, or passes it to a waiting task.
    func post(_ message: Message) { inbox.update { $0.append(message) } }

    /// Sets a handler that is called, on the posting thread, when the first message arrives after messages were removed; it is called at
    /// once if messages are waiting.
    func onMessage(_ handler: (@Sendable () -> Void)?) {
        let isWaiting = inbox.withContent { content in
            content.onMessage = handler
            content.isNotified = !content.pending.isEmpty
            return content.isNotified
        }
        if isWaiting { handler?() }
    }

    /// Removes and returns the waiting messages that match, the oldest first.
    private func remove(where isWanted: @Sendable (Message) -> Bool) -> [Message] {
        inbox.withContent { content in
            content.isNotified = false
            let removed = content.pending.filter(isWanted)
            content.pending.removeAll(where: isWanted)
            return removed
        }
    }

    /// Removes and returns all waiting messages.
    func removeAll() -> [Message] { remove { _ in true } }

    /// The waiting messages.
    var waiting: [Message] { inbox.withContent { $0.pending } }

    /// Inserts a removed message at the front again.
    func insertFirst(_ message: Message) { inbox.withContent { $0.pending.insert(message, at: 0) } }

    /// Closes the box to new messages; the waiting ones can still be removed.
    func close() { inbox.close() }

    /// Waits for a message, and removes and returns it; nil once the box is closed and empty, or if the task is cancelled.
    func next() async -> Message? { await inbox.next() }
}

extension MessageBox<StoreChange> {
    /// Removes and returns the changes up to a token, or all waiting changes if the token is nil.
    func removeAll(through token: StoreToken?) -> [StoreChange] {
        guard let token else { return removeAll() }
        return remove { $0.isIncluded(in: token) }
    }
}

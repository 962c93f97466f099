/// Something that is told about objects, and that can be made one with what is told next.
protocol QueuedMessage: Sendable {
    /// How many objects are listed.
    var count: Int { get }
    /// This and the next one as one.
    func followed(by next: Self) -> Self
    /// The same, without saying which objects.
    var abridged: Self { get }
}

/// Where what others commit waits for a context or a consumer.
typealias ChangeMailbox = MessageBox<StoreChange>

/// What was told and a consumer has not looked at yet, in order, in bounded memory.
///
/// Nothing is ever missed: when more than ``capacity`` messages wait, the newest are made one; when more than ``objectCapacity``
/// objects are listed in them, all become one that says that any object may be meant.
final class MessageBox<Message: QueuedMessage>: Sendable {
    /// How many messages may wait.
    static var capacity: Int { 64 }
    /// How many objects they may list, together.
    static var objectCapacity: Int { 10_000 }

    private struct Content: InboxContent {
        var pending: [Message] = []
        /// What is called when something waits that was not there when the box was last looked into.
        var announce: (@Sendable () -> Void)?
        /// Whether it has been called since.
        var isAnnounced = false

        mutating func append(_ message: Message) {
            if pending.count >= MessageBox.capacity, let last = pending.popLast() {
                pending.append(last.followed(by: message))
            } else {
                pending.append(message)
            }
            let count = pending.reduce(0) { $0 + $1.count }
            if pending.count > 1, count > MessageBox.objectCapacity, let first = pending.first {
                // All of them, as what they say beside the objects is true of all or of none.
                pending = [pending.dropFirst().reduce(first.abridged) { $0.followed(by: $1.abridged) }]
            }
        }

        mutating func take() -> Message? { pending.isEmpty ? nil : pending.removeFirst() }

        mutating func announcement() -> (@Sendable () -> Void)? {
            if pending.isEmpty || isAnnounced { return nil }
            isAnnounced = true
            return announce
        }
    }

    private let inbox = Inbox(Content())

    /// Puts a message into the box, or into the hands of whoever waits for one.
    func post(_ message: Message) { inbox.put { $0.append(message) } }

    /// Lets somebody be told, in the thread of whoever posts, that something has come in since the box was last looked into; at once,
    /// if anything waits.
    func announce(_ handler: (@Sendable () -> Void)?) {
        let isWaiting = inbox.look { content in
            content.announce = handler
            content.isAnnounced = !content.pending.isEmpty
            return content.isAnnounced
        }
        if isWaiting { handler?() }
    }

    /// Takes those that wait and are wanted, the oldest first, without waiting for more.
    private func take(where isWanted: @Sendable (Message) -> Bool) -> [Message] {
        inbox.look { content in
            content.isAnnounced = false
            let taken = content.pending.filter(isWanted)
            content.pending.removeAll(where: isWanted)
            return taken
        }
    }

    /// Takes all that waits, without waiting for more.
    func takeAll() -> [Message] { take { _ in true } }

    /// What waits, which stays there.
    var waiting: [Message] { inbox.look { $0.pending } }

    /// Puts back what was taken last, before anything that came since.
    func putBack(_ message: Message) { inbox.look { $0.pending.insert(message, at: 0) } }

    /// Says that nothing will come any more; what is in the box may still be taken.
    func close() { inbox.close() }

    /// Takes the oldest message, and waits for it if need be; nil once the box is closed and empty, or the task is cancelled.
    func next() async -> Message? { await inbox.next() }
}

extension MessageBox<StoreChange> {
    /// Takes what was committed up to a moment, or all that waits, without waiting for more.
    func takeAll(through moment: StoreToken?) -> [StoreChange] {
        guard let moment else { return takeAll() }
        return take { $0.last <= moment.sequence }
    }
}

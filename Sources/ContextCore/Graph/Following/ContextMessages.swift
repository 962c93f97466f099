/// The messages of a context, for a consumer in any isolation.
///
/// ```swift
/// for await save in messages { index.update(save.inserted + save.updated) }
/// ```
///
/// The sequence buffers messages from its creation on, in bounded memory: up to 64 messages wait for a slow consumer,
/// and further messages are merged into the newest one. A message with more than 10,000 objects is replaced by a
/// message without lists, whose ``ContextMessage/isComplete`` is false. The sequence ends when the context is
/// deallocated or the task is cancelled. If several tasks iterate over the same sequence, each message goes to one of
/// them.
public struct ContextMessages: AsyncSequence, Sendable {
    let box: MessageBox<ContextMessage>

    public func makeAsyncIterator() -> Iterator { Iterator(box: box) }

    /// The iterator, which waits for the next message.
    public struct Iterator: AsyncIteratorProtocol {
        let box: MessageBox<ContextMessage>

        public mutating func next() async -> ContextMessage? { await box.next() }
    }
}

extension ObjectContext {
    /// Returns a sequence of the context's messages from now on.
    ///
    /// ```swift
    /// let saves = try await editor.perform { $0.messages(.didSave) }
    /// for await save in saves { print(save.inserted.count, "new objects") }
    /// ```
    ///
    /// Changes are reported at the end of a block, save, merge or undo, like those of a ``FetchedResultsController``,
    /// once per object. A new object gets its permanent identifier when it is reported.
    ///
    /// - Parameter kind: The event to report.
    public func messages(_ kind: ContextMessage.Kind) -> ContextMessages {
        let messenger = graph.messenger ?? ContextMessenger(graph)
        graph.messenger = messenger
        return ContextMessages(box: messenger.listen(to: kind))
    }
}

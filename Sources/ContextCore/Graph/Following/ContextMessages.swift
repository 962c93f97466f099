/// What a context tells, one message after the other, for a consumer in any isolation.
///
/// ```swift
/// for await save in messages { index.update(save.inserted + save.updated) }
/// ```
///
/// It begins when it is made: what is told later is in it, whoever looks at it when. It never misses anything and holds bounded
/// memory: up to 64 messages wait for a slow consumer; the newest of more are made one; and where they would list more than 10,000
/// objects, one message without lists says that any object may be meant (``ContextMessage/isComplete``). It ends when the context goes
/// away or the task is cancelled. Each message goes to one of those that iterate over the same sequence.
public struct ContextMessages: AsyncSequence, Sendable {
    let box: MessageBox<ContextMessage>

    public func makeAsyncIterator() -> Iterator { Iterator(box: box) }

    /// Waits for one message after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let box: MessageBox<ContextMessage>

        public mutating func next() async -> ContextMessage? { await box.next() }
    }
}

extension ObjectContext {
    /// What the context tells of its work from now on.
    ///
    /// ```swift
    /// let saves = try await editor.perform { $0.messages(.didSave) }
    /// for await save in saves { print(save.inserted.count, "new objects") }
    /// ```
    ///
    /// Changes are told at quiet moments, when a ``FetchedResultsController`` follows them too, each object once. An object that is told
    /// of gets its permanent identifier for that.
    ///
    /// - Parameter kind: What there is to hear of.
    public func messages(_ kind: ContextMessage.Kind) -> ContextMessages {
        let messenger = graph.messenger ?? ContextMessenger(graph)
        graph.messenger = messenger
        return ContextMessages(box: messenger.listen(to: kind))
    }
}

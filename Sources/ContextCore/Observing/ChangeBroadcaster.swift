/// Delivers committed changes to all listeners, in the order of the commits.
///
/// `state` is guarded by its mutex.
final class ChangeBroadcaster: Sendable {
    private struct Listener {
        weak var mailbox: ChangeMailbox?
    }

    private struct State {
        var listeners: [Listener] = []
        var isClosed = false
        /// Called once, when the first listener is added.
        var firstListenerHandler: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())

    /// Creates a mailbox that receives every later change, until the mailbox is released.
    func listen() -> ChangeMailbox {
        let mailbox = ChangeMailbox()
        let (isClosed, firstListenerHandler) = state.withLock { state in
            if state.isClosed { return (true, nil as (@Sendable () -> Void)?) }
            state.listeners.append(Listener(mailbox: mailbox))
            defer { state.firstListenerHandler = nil }
            return (false, state.firstListenerHandler)
        }
        if isClosed { mailbox.close() }
        firstListenerHandler?()
        return mailbox
    }

    /// Registers a function that is called when the first listener is added; it must be registered before that listener.
    func onFirstSubscriber(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.firstListenerHandler = handler }
    }

    /// Whether there are listeners.
    var hasListeners: Bool { !current().isEmpty }

    /// Publishes the changes of a commit, if it has any and there are listeners.
    ///
    /// ``ChangeFeed`` calls it for one commit at a time.
    ///
    /// - Parameters:
    ///   - applied: The changes.
    ///   - token: The position in the history after them.
    ///   - last: The number of the last transaction with these changes.
    ///   - own: The mailbox of the context that made the changes, which isn't notified.
    func publish(
        _ applied: StoreChangeBuilder, token: StoreToken, through last: Int64,
        except own: ChangeMailbox? = nil
    ) {
        if applied.isEmpty { return }
        let mailboxes = current().filter { $0 !== own }
        if mailboxes.isEmpty { return }
        let change = applied.change(token: token, through: last)
        for mailbox in mailboxes { mailbox.post(change) }
    }

    /// Publishes a change.
    func publish(_ change: StoreChange) {
        for mailbox in current() { mailbox.post(change) }
    }

    /// Closes all mailboxes, because no commits will follow.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.firstListenerHandler = nil
        }
        for mailbox in current() { mailbox.close() }
    }

    private func current() -> [ChangeMailbox] {
        state.withLock { state in
            state.listeners.removeAll { $0.mailbox == nil }
            return state.listeners.compactMap(\.mailbox)
        }
    }
}

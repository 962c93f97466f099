/// Tells everybody who listens what was committed, in the order of the commits.
///
/// `state` is guarded by its mutex.
final class ChangeBroadcaster: Sendable {
    private struct Listener {
        weak var mailbox: ChangeMailbox?
    }

    private struct State {
        var listeners: [Listener] = []
        var isClosed = false
        /// What is called when somebody listens for the first time.
        var atFirst: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())

    /// Makes a mailbox that gets every change from now on, for as long as somebody holds it.
    func listen() -> ChangeMailbox {
        let mailbox = ChangeMailbox()
        let (isClosed, atFirst) = state.withLock { state in
            if state.isClosed { return (true, nil as (@Sendable () -> Void)?) }
            state.listeners.append(Listener(mailbox: mailbox))
            defer { state.atFirst = nil }
            return (false, state.atFirst)
        }
        if isClosed { mailbox.close() }
        atFirst?()
        return mailbox
    }

    /// Calls a function once, when somebody begins to listen; to be said before anybody does.
    func atFirstListener(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.atFirst = handler }
    }

    /// Whether anybody listens.
    var hasListeners: Bool { !current().isEmpty }

    /// Publishes what was committed, if it changed anything and somebody listens.
    ///
    /// `own` belongs to the context that made the change, and knows it. ``ChangeFeed`` calls it for one change after the other.
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

    /// Says that nothing will be committed any more.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.atFirst = nil
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

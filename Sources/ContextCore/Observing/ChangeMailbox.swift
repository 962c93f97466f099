/// What was committed and a consumer has not looked at yet, in order, in bounded memory.
///
/// Nothing is ever missed: when more than ``capacity`` changes wait, the newest are made one; when more than ``objectCapacity``
/// objects are listed in them, all become one change that says that any object may have changed.
///
/// `state` is guarded by its mutex.
final class ChangeMailbox: Sendable {
    /// How many changes may wait.
    static let capacity = 64
    /// How many objects they may list, together.
    static let objectCapacity = 10_000

    private typealias Waiter = CheckedContinuation<StoreChange?, Never>

    private struct State {
        var pending: [StoreChange] = []
        var waiters: [(number: Int, continuation: Waiter)] = []
        var lastNumber = 0
        var isClosed = false
        /// What is called when something waits that was not there when the box was last looked into.
        var announce: (@Sendable () -> Void)?
        /// Whether it has been called since.
        var isAnnounced = false

        mutating func append(_ change: StoreChange) {
            if pending.count >= ChangeMailbox.capacity, let last = pending.popLast() {
                pending.append(last.followed(by: change))
            } else {
                pending.append(change)
            }
            let count = pending.reduce(0) { $0 + $1.count }
            if pending.count > 1, count > ChangeMailbox.objectCapacity, let last = pending.last {
                pending = [last.abridged]
            }
        }
    }

    private let state = Guarded(State())

    /// Puts a change into the box, or into the hands of whoever waits for one.
    func post(_ change: StoreChange) {
        let (waiter, announce) = state.withLock { state -> (Waiter?, (@Sendable () -> Void)?) in
            if state.isClosed { return (nil, nil) }
            if !state.waiters.isEmpty { return (state.waiters.removeFirst().continuation, nil) }
            state.append(change)
            defer { state.isAnnounced = true }
            return (nil, state.isAnnounced ? nil : state.announce)
        }
        waiter?.resume(returning: change)
        announce?()
    }

    /// Lets somebody be told, in the thread of whoever commits, that something has come in since the box was last looked into; at once,
    /// if anything waits.
    func announce(_ handler: (@Sendable () -> Void)?) {
        let isWaiting = state.withLock { state in
            state.announce = handler
            state.isAnnounced = !state.pending.isEmpty
            return state.isAnnounced
        }
        if isWaiting { handler?() }
    }

    /// Takes all that waits, or what was committed up to a moment, without waiting for more.
    func takeAll(through moment: StoreToken? = nil) -> [StoreChange] {
        state.withLock { state in
            state.isAnnounced = false
            let count =
                moment.map { last in state.pending.prefix { $0.token.sequence <= last.sequence }.count }
                ?? state.pending.count
            defer { state.pending.removeFirst(count) }
            return Array(state.pending.prefix(count))
        }
    }

    /// Puts back what was taken last, before anything that came since.
    func putBack(_ change: StoreChange) {
        state.withLock { $0.pending.insert(change, at: 0) }
    }

    /// Says that nothing will come any more; what is in the box may still be taken.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// Takes the oldest change, and waits for it if need be; nil once the box is closed and empty, or the task is cancelled.
    func next() async -> StoreChange? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0) }
        } onCancel: {
            giveUp(number)
        }
    }

    private func wait(_ number: Int, _ continuation: Waiter) {
        let answer = state.withLock { state -> StoreChange?? in
            if !state.pending.isEmpty { return state.pending.removeFirst() }
            if state.isClosed || Task.isCancelled { return .some(nil) }
            state.waiters.append((number, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: nil)
    }
}

/// What lies in an inbox: what there is to be taken, and whom to tell that something is there.
protocol InboxContent: Sendable {
    /// What a consumer gets.
    associatedtype Item: Sendable
    /// Takes what comes next; nil where there is nothing.
    mutating func take() -> Item?
    /// Whom to tell that something lies there which no task was waiting for.
    mutating func announcement() -> (@Sendable () -> Void)?
}

extension InboxContent {
    /// Nobody but those who wait wants to know.
    mutating func announcement() -> (@Sendable () -> Void)? { nil }
}

/// What has come for a consumer, and the tasks that wait for it, in the order in which they came.
///
/// `state` is guarded by its mutex; whoever is told or handed something is so without it.
final class Inbox<Content: InboxContent>: Sendable {
    private typealias Waiter = CheckedContinuation<Content.Item?, Never>

    private struct State {
        var content: Content
        var waiters: [(number: Int, continuation: Waiter)] = []
        var lastNumber = 0
        var isClosed = false

        /// Gives those who wait what there is, as far as it goes.
        mutating func handOut() -> [(Waiter, Content.Item)] {
            var handed: [(Waiter, Content.Item)] = []
            while let first = waiters.first, let item = content.take() {
                waiters.removeFirst()
                handed.append((first.continuation, item))
            }
            return handed
        }
    }

    private let state: Guarded<State>

    init(_ content: Content) { state = Guarded(State(content: content)) }

    /// Puts something in, unless nothing may come any more, and hands it to those who wait.
    func put(_ change: (inout Content) -> Void) {
        let (handed, announcement) = state.withLock {
            state -> ([(Waiter, Content.Item)], (@Sendable () -> Void)?) in
            if state.isClosed { return ([], nil) }
            change(&state.content)
            return (state.handOut(), state.content.announcement())
        }
        for (waiter, item) in handed { waiter.resume(returning: item) }
        announcement?()
    }

    /// Looks at what is there, and may take some of it.
    func look<Value: Sendable>(_ body: (inout Content) -> Value) -> Value {
        state.withLock { body(&$0.content) }
    }

    /// Says that nothing will come any more; what is there may still be taken.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// Takes what comes next, and waits for it if need be; nil once the box is closed and empty, or the task is cancelled.
    func next() async -> Content.Item? {
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
        let answer = state.withLock { state -> Content.Item?? in
            if let item = state.content.take() { return item }
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

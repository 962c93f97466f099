/// The content of an inbox: the items for a consumer, and a handler to call when items arrive.
protocol InboxContent: Sendable {
    /// The type that a consumer receives.
    associatedtype Item: Sendable
    /// Removes and returns the next item; nil if there is none.
    mutating func removeNext() -> Item?
    /// Returns the handler to call because items have arrived for which no task was waiting; nil if there is none.
    mutating func arrivalHandler() -> (@Sendable () -> Void)?
}

extension InboxContent {
    /// Returns nil, because only waiting tasks are notified.
    mutating func arrivalHandler() -> (@Sendable () -> Void)? { nil }
}

/// A queue of items for a consumer; tasks that wait for items are resumed in the order in which they started to wait.
///
/// `state` is guarded by its mutex; tasks are resumed and handlers called without the lock.
final class Inbox<Content: InboxContent>: Sendable {
    private typealias Waiter = CheckedContinuation<Content.Item?, Never>

    private struct State {
        var content: Content
        var waiters: [(number: Int, continuation: Waiter)] = []
        var lastNumber = 0
        var isClosed = false

        /// Removes an item for each waiting task, as long as there are items.
        mutating func assignItems() -> [(Waiter, Content.Item)] {
            var assignments: [(Waiter, Content.Item)] = []
            while let first = waiters.first, let item = content.removeNext() {
                waiters.removeFirst()
                assignments.append((first.continuation, item))
            }
            return assignments
        }
    }

    private let state: Guarded<State>

    init(_ content: Content) { state = Guarded(State(content: content)) }

    /// Changes the content, and resumes waiting tasks with the new items; does nothing once the inbox is closed.
    func update(_ change: (inout Content) -> Void) {
        let (assignments, arrivalHandler) = state.withLock {
            state -> ([(Waiter, Content.Item)], (@Sendable () -> Void)?) in
            if state.isClosed { return ([], nil) }
            change(&state.content)
            return (state.assignItems(), state.content.arrivalHandler())
        }
        for (waiter, item) in assignments { waiter.resume(returning: item) }
        arrivalHandler?()
    }

    /// Reads or changes the content without resuming waiting tasks.
    func withContent<Value: Sendable>(_ body: (inout Content) -> Value) -> Value {
        state.withLock { body(&$0.content) }
    }

    /// Closes the inbox to new items; the present ones can still be removed.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// Waits for an item, and removes and returns it; nil once the inbox is closed and empty, or if the task is cancelled.
    func next() async -> Content.Item? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0) }
        } onCancel: {
            cancelWait(number)
        }
    }

    private func wait(_ number: Int, _ continuation: Waiter) {
        let result = state.withLock { state -> Content.Item?? in
            if let item = state.content.removeNext() { return item }
            if state.isClosed || Task.isCancelled { return .some(nil) }
            state.waiters.append((number, continuation))
            return nil
        }
        if let result { continuation.resume(returning: result) }
    }

    private func cancelWait(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: nil)
    }
}

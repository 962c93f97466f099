extension SnapshotConvertible {
    /// Returns a sequence of the values that a property takes from now on.
    ///
    /// ```swift
    /// for await title in game.changes(of: \.title) { window.title = title }
    /// ```
    ///
    /// The sequence can't leave the isolation of the object's context, so use it where code can wait in that isolation:
    /// on the main actor, for objects of ``Store/viewContext``. Blocks of `perform`, `read` and `write` can't wait.
    ///
    /// The sequence reports all changes: assignments, refreshes, merges, undo and rollback. Changes that arrive while
    /// the consumer is busy are combined, and equal values are skipped. The sequence retains neither the object nor its
    /// context, and ends when the object is deleted or deallocated.
    public func changes<Value: Equatable>(of path: KeyPath<Self, Value>) -> ValueChanges<Self, Value> {
        ValueChanges(self, path, slot: slot(of: path))
    }
}

/// The values of a property of an object over time; made by ``SnapshotConvertible/changes(of:)``.
public struct ValueChanges<Object: ManagedObject, Value: Equatable>: AsyncSequence {
    public typealias Element = Value
    public typealias Failure = Never

    private let watch: PropertyWatch
    private let path: KeyPath<Object, Value>
    private let first: Value

    init(_ object: Object, _ path: KeyPath<Object, Value>, slot: Int) {
        self.path = path
        first = object[keyPath: path]
        watch = PropertyWatch(object, slot: slot)
    }

    /// Returns an independent iterator: ending or cancelling it doesn't end others.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watch: watch.makeIndependentWatch(), path: path, last: first)
    }

    /// The iterator, which waits for the next value in the isolation of the object's context.
    public struct Iterator: AsyncIteratorProtocol {
        let watch: PropertyWatch
        let path: KeyPath<Object, Value>
        var last: Value

        public mutating func next() async -> Value? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while await watch.signal.wait(isolation: actor) {
                guard let object = watch.object as? Object, !object.isDeleted else { return nil }
                let value = object[keyPath: path]
                if value == last { continue }
                last = value
                return value
            }
            return nil
        }
    }
}

/// Receives a signal from a graph when a property may have changed, until it is released.
final class PropertyWatch {
    private(set) weak var object: ManagedObject?
    let signal = ChangeSignal()
    private let graph: ObjectGraph
    private let key: ObjectIdentifier
    private let slot: Int

    init(_ object: ManagedObject, slot: Int) {
        self.object = object
        self.slot = slot
        graph = object.graph
        key = ObjectIdentifier(object)
        graph.watchers[key, default: []].append(PropertyWatcher(slot: slot, signal: signal))
    }

    /// Returns a separate watch of the same property for an iterator, or this watch if the object is deallocated.
    ///
    /// Its first wait returns immediately, because the property may have changed since this watch began.
    func makeIndependentWatch() -> PropertyWatch {
        guard let object, !signal.hasEnded else { return self }
        let other = PropertyWatch(object, slot: slot)
        other.signal.raise()
        return other
    }

    deinit {
        graph.watchers[key]?.removeAll { $0.signal === signal }
        if graph.watchers[key]?.isEmpty == true { graph.watchers[key] = nil }
    }
}

/// An entry of a graph's watchers: the property and the signal to raise.
struct PropertyWatcher {
    let slot: Int
    let signal: ChangeSignal
}

/// Wakes a task that waits for a change, at once if a change has happened since its last wait.
///
/// `state` is guarded by its mutex, because a task may be cancelled from any thread.
final class ChangeSignal: Sendable {
    private struct State {
        var isRaised = false
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?

        mutating func removeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let state = Guarded(State())

    /// Whether the signal has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Signals a change.
    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = true
            return state.removeWaiter()
        }
        waiter?.resume()
    }

    /// Ends the signal and the waiting task.
    func end() {
        let waiter = state.withLock { state in
            state.hasEnded = true
            return state.removeWaiter()
        }
        waiter?.resume()
    }

    /// Waits for a change; false if the signal has ended or the task is cancelled.
    func wait(isolation actor: isolated (any Actor)?) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let isReady = state.withLock { state in
                    if state.isRaised || state.hasEnded || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            end()
        }
        return state.withLock { state in
            defer { state.isRaised = false }
            return state.isRaised && !state.hasEnded
        }
    }
}

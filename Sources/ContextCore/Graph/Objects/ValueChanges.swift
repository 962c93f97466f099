extension SnapshotTaking {
    /// The values that a property takes from now on, one after the other.
    ///
    /// ```swift
    /// for await title in game.changes(of: \.title) { window.title = title }
    /// ```
    ///
    /// It is a sequence for where the object lives: it can't leave its context's isolation, and that is where it waits and reads. So
    /// a program uses it where it can wait beside the context, which is the main actor for objects of ``Store/viewContext``; blocks of
    /// `perform`, `read` and `write` never wait. It tells of changes by whoever made them: assignments, refreshes, merges, undo and
    /// rollback. Changes that come quicker than they are looked at are one, and a value that is the same again is left out. It holds
    /// neither the object nor its context, and ends when the object goes: when it is deleted, or nobody holds it any more.
    public func changes<Value: Equatable>(of path: KeyPath<Self, Value>) -> ValueChanges<Self, Value> {
        ValueChanges(self, path, slot: slot(of: path))
    }
}

/// The values that a property of one object takes, one after the other; ``SnapshotTaking/changes(of:)`` makes it.
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

    /// Makes an iterator that waits by itself: one that ends, or is cancelled, ends no other.
    public func makeAsyncIterator() -> Iterator { Iterator(watch: watch.another(), path: path, last: first) }

    /// Waits for one value after the other, in the isolation of the object's context.
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

/// Lets a graph tell somebody that a property may have changed, for as long as it is held.
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

    /// Makes a watch of the same property for another iterator; returns this one when the object is gone.
    ///
    /// The first wait ends at once, since the property may have changed after this watch began.
    func another() -> PropertyWatch {
        guard let object, !signal.isOver else { return self }
        let other = PropertyWatch(object, slot: slot)
        other.signal.raise()
        return other
    }

    deinit {
        graph.watchers[key]?.removeAll { $0.signal === signal }
        if graph.watchers[key]?.isEmpty == true { graph.watchers[key] = nil }
    }
}

/// Whom a graph tells of changes of a property.
struct PropertyWatcher {
    let slot: Int
    let signal: ChangeSignal
}

/// Wakes one who waits when something has happened since he last looked.
///
/// `state` is guarded by its mutex, because a task may be cancelled from any thread.
final class ChangeSignal: Sendable {
    private struct State {
        var isRaised = false
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let state = Guarded(State())

    /// Whether nothing will happen any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Says that something has happened.
    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = true
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    /// Says that nothing will happen any more.
    func end() {
        let waiter = state.withLock { state in
            state.isOver = true
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    /// Waits until something has happened; false when it is over, or the task is cancelled.
    func wait(isolation actor: isolated (any Actor)?) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let isReady = state.withLock { state in
                    if state.isRaised || state.isOver || Task.isCancelled { return true }
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
            return state.isRaised && !state.isOver
        }
    }
}

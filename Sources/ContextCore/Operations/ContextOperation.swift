import Foundation

/// An operation with a context of its own, for programs that work with `OperationQueue`.
///
/// A subclass does its work in `main`, with ``threadContext``:
///
/// ```swift
/// final class Import: ContextOperation, @unchecked Sendable {
///     override func main() {
///         let game = Game(in: threadContext, title: "Go")
///         do { try threadContext.save() } catch { print(error, game) }
///     }
/// }
/// ```
///
/// Dependencies, priorities, cancellation and `completionBlock` are the operation's, as ever. The context is made when it is asked for
/// first, and goes away when `main` returns, with what was not saved. Each fetch sees the store as it is then, and each save is a write
/// of its own, in the order of the writes.
///
/// A queue runs operations on threads that are none of Swift's cooperative ones, so they may block.
///
/// State: `thread` is guarded by itself; `context` is touched by the thread that runs `main`, and by no other.
// @unchecked: Operation is so, and see above.
open class ContextOperation: Operation, @unchecked Sendable {
    /// The store that the operation works on.
    public let store: Store
    private let identifier: String
    /// The thread that runs `main`.
    private let thread = Guarded<ThreadIdentity?>(nil)
    private var context: ObjectContext?

    /// Makes an operation.
    ///
    /// - Parameters:
    ///   - store: What it works on.
    ///   - name: What it is called, in the history and in errors.
    public init(store: Store, name: String = "operation") {
        self.store = store
        identifier = name
        super.init()
        self.name = name
    }

    /// The operation's own context, within `main`.
    ///
    /// Traps anywhere else, as the context belongs to the thread that runs `main`.
    public final var threadContext: ObjectContext {
        requirePrecondition(
            thread.withLock { $0 } == .current,
            "threadContext of operation \"\(identifier)\" was asked for outside of its main: the context belongs to the thread that runs it."
        )
        if let context { return context }
        let made = store.makeThreadContext(name: identifier)
        context = made
        return made
    }

    /// Runs `main` on the calling thread; queues call it.
    ///
    /// A second call is Foundation's to refuse: it traps while `main` runs, and does nothing afterwards.
    public final override func start() {
        let isFirst = thread.withLock { thread in
            defer { thread = thread ?? .current }
            return thread == nil
        }
        super.start()
        if !isFirst { return }
        context = nil
        thread.withLock { $0 = nil }
    }
}

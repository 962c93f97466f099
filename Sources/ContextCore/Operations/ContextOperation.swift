import Foundation

/// An operation with its own context, for programs that use `OperationQueue`.
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
/// Dependencies, priorities, cancellation and `completionBlock` work as in any `Operation`. The context is created on first use, and
/// released with its unsaved changes when `main` returns. Each fetch sees the store's current state, and each save is a separate write,
/// ordered with all other writes.
///
/// Operations may block: if threads of a queue block, Dispatch starts further threads.
///
/// State: `thread` is guarded by its mutex; `context` is used only by the thread that runs `main`.
// @unchecked: because `Operation` is; see the state above.
open class ContextOperation: Operation, @unchecked Sendable {
    /// The store that the operation works on.
    public let store: Store
    private let identifier: String
    /// The thread that runs `main`.
    private let thread = Guarded<ThreadIdentity?>(nil)
    private var context: ObjectContext?

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - store: The store that the operation works on.
    ///   - name: The operation's name, in the history and in errors.
    public init(store: Store, name: String = "operation") {
        self.store = store
        identifier = name
        super.init()
        self.name = name
    }

    /// The operation's context, available in `main`.
    ///
    /// Traps elsewhere, because the context belongs to the thread that runs `main`.
    public final var threadContext: ObjectContext {
        requirePrecondition(
            thread.withLock { $0 } == .current,
            "threadContext of operation \"\(identifier)\" was used outside its main: the context belongs to the thread that runs main."
        )
        if let context { return context }
        let made = store.makeThreadContext(name: identifier)
        context = made
        return made
    }

    /// Runs `main` on the calling thread; queues call it.
    ///
    /// Foundation handles a second call: it traps while `main` runs, and does nothing afterwards.
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

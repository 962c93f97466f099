import Foundation

/// An operation that runs blocks one after the other, with a shared context and a shared state.
///
/// Each block returns whether to save the context's changes:
///
/// ```swift
/// let operation = ContextBlockOperation(store: store, state: 0)
/// operation.addExecutionBlock { context, count in
///     count = try context.count(Game.self)
///     return false
/// }
/// operation.addExecutionBlock { context, count in
///     _ = Game(in: context, title: "Game \(count + 1)")
///     return true
/// }
/// ```
///
/// An error in a block, or cancellation between two blocks, ends the operation and discards unsaved changes. ``outcome`` is the result;
/// the program may set `completionBlock`.
///
/// `progress` is guarded by its mutex.
// @unchecked: because `Operation` is; `progress` is guarded by its mutex.
public final class ContextBlockOperation<State: Sendable>: ContextOperation, @unchecked Sendable {
    /// A block that receives the context and the state, and returns whether to save.
    public typealias Block = @Sendable (ObjectContext, inout State) throws -> Bool

    private struct Progress {
        var blocks: [Block] = []
        var state: State
        var savesAfterExecution = false
        var hasStarted = false
        var outcome: Result<State, any Error>?
    }

    private let progress: Guarded<Progress>

    /// Creates an operation without blocks.
    ///
    /// - Parameters:
    ///   - store: The store that the operation works on.
    ///   - name: The operation's name, in the history and in errors.
    ///   - state: The initial value of the state that the blocks share.
    public init(store: Store, name: String = "operation", state: State) {
        progress = Guarded(Progress(state: state))
        super.init(store: store, name: name)
    }

    /// Adds a block, which runs after those added before.
    ///
    /// Traps once the operation has started.
    public func addExecutionBlock(_ block: @escaping Block) {
        let hasStarted = progress.withLock { progress in
            if !progress.hasStarted { progress.blocks.append(block) }
            return progress.hasStarted
        }
        requirePrecondition(
            !hasStarted,
            "A block was added to an operation that has started. Add it before the start, or to another operation."
        )
    }

    /// Whether the context is saved after the last block, whatever the blocks have returned; false by default.
    public var saveAfterExecution: Bool {
        get { progress.withLock { $0.savesAfterExecution } }
        set { progress.withLock { $0.savesAfterExecution = newValue } }
    }

    /// The state after the last block, or the error that ended the operation; nil until it has ended.
    ///
    /// A cancelled operation ends with ``StoreError/Code/cancelled``.
    public var outcome: Result<State, any Error>? {
        if let outcome = progress.withLock({ $0.outcome }) { return outcome }
        // An operation that was cancelled before its start never runs its blocks.
        return isFinished && isCancelled ? .failure(cancellation) : nil
    }

    /// Runs the blocks.
    public override func main() {
        var (blocks, state) = progress.withLock { progress in
            progress.hasStarted = true
            return (progress.blocks, progress.state)
        }
        let outcome = Result<State, any Error> {
            for block in blocks {
                try checkCancellation()
                if try block(threadContext, &state) { try threadContext.save() }
            }
            if saveAfterExecution {
                try checkCancellation()
                try threadContext.save()
            }
            return state
        }
        blocks = []
        progress.withLock { progress in
            progress.blocks = blocks
            progress.outcome = outcome
        }
    }

    private func checkCancellation() throws {
        if isCancelled { throw cancellation }
    }

    private var cancellation: StoreError {
        StoreError(.cancelled, "Operation \"\(name ?? "")\" was cancelled before all of its blocks had run.")
    }
}

extension ContextBlockOperation where State == Void {
    /// Creates an operation without blocks and without a shared state.
    public convenience init(store: Store, name: String = "operation") {
        self.init(store: store, name: name, state: ())
    }

    /// Adds a block that doesn't use a state.
    public func addExecutionBlock(_ block: @escaping @Sendable (ObjectContext) throws -> Bool) {
        addExecutionBlock { context, _ in try block(context) }
    }
}

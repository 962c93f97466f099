import Foundation

/// An operation of blocks that share a context and a state, and run one after the other.
///
/// Each block says whether what has changed is to be saved when it returns:
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
/// A block that throws, and cancellation between two blocks, end the operation: what was not saved by then is dropped. ``outcome`` says
/// how it went; `completionBlock` is free for the program.
///
/// `progress` is guarded by itself.
// @unchecked: Operation is so, and see above.
public final class ContextBlockOperation<State: Sendable>: ContextOperation, @unchecked Sendable {
    /// A block: it gets the context and the state, and says whether to save.
    public typealias Block = @Sendable (ObjectContext, inout State) throws -> Bool

    private struct Progress {
        var blocks: [Block] = []
        var state: State
        var savesAfterExecution = false
        var hasBegun = false
        var outcome: Result<State, any Error>?
    }

    private let progress: Guarded<Progress>

    /// Makes an operation without blocks.
    ///
    /// - Parameters:
    ///   - store: What it works on.
    ///   - name: What it is called, in the history and in errors.
    ///   - state: What the blocks hand on to each other, as the first one gets it.
    public init(store: Store, name: String = "operation", state: State) {
        progress = Guarded(Progress(state: state))
        super.init(store: store, name: name)
    }

    /// Adds a block, to run after those that were added before.
    ///
    /// Traps once the operation has begun.
    public func addExecutionBlock(_ block: @escaping Block) {
        let hasBegun = progress.withLock { progress in
            if !progress.hasBegun { progress.blocks.append(block) }
            return progress.hasBegun
        }
        requirePrecondition(
            !hasBegun, "A block was added to an operation that has begun; add it to another one.")
    }

    /// Whether what has changed is saved after the last block, whatever the blocks say; false unless it is set.
    public var saveAfterExecution: Bool {
        get { progress.withLock { $0.savesAfterExecution } }
        set { progress.withLock { $0.savesAfterExecution = newValue } }
    }

    /// The state after the last block, or what ended the operation early; nil until it has ended.
    ///
    /// A cancelled operation ends with ``StoreError/Code/cancelled``.
    public var outcome: Result<State, any Error>? {
        if let outcome = progress.withLock({ $0.outcome }) { return outcome }
        // One that was cancelled before it began never came to its blocks.
        return isFinished && isCancelled ? .failure(cancellation) : nil
    }

    /// Runs the blocks.
    public override func main() {
        var (blocks, state) = progress.withLock { progress in
            progress.hasBegun = true
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
        StoreError(.cancelled, "Operation \"\(name ?? "")\" was cancelled before it had run all its blocks.")
    }
}

extension ContextBlockOperation where State == Void {
    /// Makes an operation without blocks, whose blocks hand nothing on.
    public convenience init(store: Store, name: String = "operation") {
        self.init(store: store, name: name, state: ())
    }

    /// Adds a block that needs no state.
    public func addExecutionBlock(_ block: @escaping @Sendable (ObjectContext) throws -> Bool) {
        addExecutionBlock { context, _ in try block(context) }
    }
}

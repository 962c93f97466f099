import Foundation

/// An operation whose `main` is `async`, with a context of its own, for programs that work with `OperationQueue`.
///
/// A subclass does its work in `main`, with ``threadContext``, and may await other work in between:
///
/// ```swift
/// final class Download: ContextTaskOperation, @unchecked Sendable {
///     override func main() async throws {
///         let count = try await store.read("count") { try $0.count(Game.self) }
///         _ = Game(in: threadContext, title: "Game \(count + 1)")
///         try threadContext.save()
///     }
/// }
/// ```
///
/// The operation is finished when `main` has returned, so operations that depend on it, and the queue's limit, wait for that; no thread is
/// blocked while `main` awaits something. `main` runs on an executor of the operation's own, and comes back to it after each `await`: never
/// on Swift's cooperative pool, so it may block. The context is made on first use and goes away at the end, with what was not saved.
///
/// Cancelling the operation cancels the task that runs `main`. ``outcome`` says how it went.
///
/// State: `progress` is guarded by itself; `context` is touched on `executor` alone.
// @unchecked: Operation is so, and see above.
open class ContextTaskOperation: Operation, @unchecked Sendable {
    private enum Phase {
        case waiting, executing, finished
    }

    private struct Progress: Sendable {
        var phase = Phase.waiting
        /// Whether `start` was called.
        var hasStarted = false
        var task: Task<Void, Never>?
        var outcome: Result<Void, any Error>?
    }

    /// The store that the operation works on.
    public let store: Store
    private let identifier: String
    private let executor: ContextExecutor
    private let progress = Guarded(Progress())
    private var context: ObjectContext?

    /// Makes an operation.
    ///
    /// - Parameters:
    ///   - store: What it works on.
    ///   - name: What it is called, in the history and in errors.
    public init(store: Store, name: String = "operation") {
        self.store = store
        identifier = name
        executor = ContextExecutor(name: name, threads: store.pipeline.contextThreads)
        super.init()
        self.name = name
    }

    /// Does the operation's work; subclasses override it.
    ///
    /// What it throws becomes the ``outcome``.
    open func main() async throws {}

    /// Does nothing: the work is in the `async` one.
    public final override func main() {}

    /// The operation's own context, within `main`.
    ///
    /// Traps anywhere else, also in what `main` calls on an actor, as the context belongs to the executor that runs `main`.
    public final var threadContext: ObjectContext {
        requirePrecondition(
            executor.isCurrent,
            "threadContext of operation \"\(identifier)\" was asked for outside of its main: the context belongs to the executor that runs it."
        )
        if let context { return context }
        let made = store.makeThreadContext(name: identifier)
        context = made
        return made
    }

    /// How `main` ended; nil until it has.
    ///
    /// An operation that was cancelled before it began ends with ``StoreError/Code/cancelled``.
    public final var outcome: Result<Void, any Error>? { progress.withLock { $0.outcome } }

    // MARK: Operation

    /// Always true: the operation ends after `start` has returned.
    public final override var isAsynchronous: Bool { true }
    /// Whether `main` has begun and has not ended.
    public final override var isExecuting: Bool { progress.withLock { $0.phase == .executing } }
    /// Whether `main` has ended, or never will begin.
    public final override var isFinished: Bool { progress.withLock { $0.phase == .finished } }

    /// Begins `main` in a task; queues call it.
    ///
    /// A program may call it for an operation without a queue. A second call does nothing, so `main` runs once. Traps while the operation
    /// waits for others that it depends on.
    public final override func start() {
        requirePrecondition(
            isReady,
            "Operation \"\(identifier)\" was started before the operations that it depends on have finished.")
        let isFirst = progress.withLock { progress in
            defer { progress.hasStarted = true }
            return !progress.hasStarted
        }
        guard isFirst else { return }
        if isCancelled {
            return finish(
                .failure(
                    StoreError(.cancelled, "Operation \"\(identifier)\" was cancelled before it had begun.")))
        }
        change("isExecuting") { $0.phase = .executing }
        let task = Task(executorPreference: OperationExecutor(executor)) { [self] in
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await main())
            } catch {
                outcome = .failure(error)
            }
            context = nil
            finish(outcome)
        }
        progress.withLock { if $0.phase == .executing { $0.task = task } }
        if isCancelled { task.cancel() }
    }

    /// Cancels the operation, and the task that runs `main`.
    open override func cancel() {
        super.cancel()
        progress.withLock { $0.task }?.cancel()
    }

    private func finish(_ outcome: Result<Void, any Error>) {
        change("isFinished") { $0 = Progress(phase: .finished, hasStarted: true, outcome: outcome) }
    }

    /// Changes the phase, and tells the queue.
    private func change(_ key: String, _ change: @Sendable (inout Progress) -> Void) {
        willChangeValue(forKey: key)
        progress.withLock { change(&$0) }
        didChangeValue(forKey: key)
    }
}

/// Lets the task of an operation run on the operation's executor, one piece after the other.
private final class OperationExecutor: TaskExecutor {
    private let executor: ContextExecutor

    init(_ executor: ContextExecutor) { self.executor = executor }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        executor.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

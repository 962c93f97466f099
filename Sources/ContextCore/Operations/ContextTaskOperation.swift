import Foundation

/// An operation with an `async` `main` and its own context, for programs that use `OperationQueue`.
///
/// A subclass does its work in `main`, with ``threadContext``, and may await other work:
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
/// The operation finishes when `main` returns, so dependent operations and the queue's limit wait for it; no thread is blocked while
/// `main` awaits. `main` runs on the operation's own executor, and returns to it after each `await`. The executor doesn't use threads of
/// Swift's cooperative pool, so `main` may block. The context is created on first use, and released with its unsaved changes at the end.
///
/// Cancelling the operation cancels the task that runs `main`. ``outcome`` is the result.
///
/// State: `progress` is guarded by its mutex; `context` is used only on `executor`.
// @unchecked: because `Operation` is; see the state above.
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

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - store: The store that the operation works on.
    ///   - name: The operation's name, in the history and in errors.
    public init(store: Store, name: String = "operation") {
        self.store = store
        identifier = name
        executor = ContextExecutor(name: name, threads: store.pipeline.contextThreads)
        super.init()
        self.name = name
    }

    /// Does the operation's work; subclasses override it.
    ///
    /// An error that it throws becomes the ``outcome``.
    open func main() async throws {}

    /// Does nothing; the work is done in the `async` `main`.
    public final override func main() {}

    /// The operation's context, available in `main`.
    ///
    /// Traps elsewhere, even in actor-isolated code that `main` calls, because the context belongs to the executor that runs `main`.
    public final var threadContext: ObjectContext {
        requirePrecondition(
            executor.isCurrent,
            "threadContext of operation \"\(identifier)\" was used outside its main: the context belongs to the executor that runs main."
        )
        if let context { return context }
        let made = store.makeThreadContext(name: identifier)
        context = made
        return made
    }

    /// The result of `main`; nil until it has ended.
    ///
    /// An operation that was cancelled before it started ends with ``StoreError/Code/cancelled``.
    public final var outcome: Result<Void, any Error>? { progress.withLock { $0.outcome } }

    // MARK: Operation

    /// Always true, because the operation ends after `start` has returned.
    public final override var isAsynchronous: Bool { true }
    /// Whether `main` is running.
    public final override var isExecuting: Bool { progress.withLock { $0.phase == .executing } }
    /// Whether `main` has ended or will never start.
    public final override var isFinished: Bool { progress.withLock { $0.phase == .finished } }

    /// Starts `main` in a task; queues call it.
    ///
    /// A program may call it for an operation without a queue. A second call does nothing. Traps if the operation's dependencies have not
    /// finished.
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
                    StoreError(.cancelled, "Operation \"\(identifier)\" was cancelled before it started.")))
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

    /// Changes the phase, and notifies key-value observers, such as the queue.
    private func change(_ key: String, _ change: @Sendable (inout Progress) -> Void) {
        willChangeValue(forKey: key)
        progress.withLock { change(&$0) }
        didChangeValue(forKey: key)
    }
}

/// The task executor that runs an operation's task on the operation's serial executor.
private final class OperationExecutor: TaskExecutor {
    private let executor: ContextExecutor

    init(_ executor: ContextExecutor) { self.executor = executor }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        executor.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Who waits for whom among the threads that run contexts, so that contexts which would wait for each other for ever are found.
///
/// A thread is in it before it waits and until it has got what it waited for. So whoever closes a circle of waiting threads sees all
/// of it.
final class ExecutorWaits: Sendable {
    static let shared = ExecutorWaits()

    /// What each waiting thread waits for, guarded by the mutex.
    private let waits = Guarded<[ThreadIdentity: ContextExecutor]>([:])

    /// Notes that the current thread, which runs a context's work, is going to wait for another context.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock`` when that one waits for what this thread runs.
    func begin(_ executor: ContextExecutor, from waiting: ContextExecutor) throws {
        let thread = ThreadIdentity.current
        let isCircle = waits.withLock { waits in
            var next: ContextExecutor? = executor
            while let candidate = next, let owner = candidate.owner {
                if owner == thread { return true }
                // A thread that owns what it is said to wait for has just got it.
                let awaited = waits[owner]
                next = awaited === candidate ? nil : awaited
            }
            waits[thread] = executor
            return false
        }
        if isCircle {
            throw StoreError(
                .wouldDeadlock,
                "Context \"\(waiting.name)\" asked for context \"\(executor.name)\", which waits for it already.",
                remedy: "Use await perform in one of the two.")
        }
    }

    /// What can be told of the progress of a context's work, and of that which it waits for in turn; nil while one of them uses the store.
    func progress(of executor: ContextExecutor) -> [ContextProgress]? {
        waits.withLock { waits in
            var all: [ContextProgress] = []
            var next: ContextExecutor? = executor
            while let candidate = next {
                guard let (owner, progress) = candidate.progress else { return nil }
                all.append(progress)
                let awaited = waits[owner]
                next = awaited === candidate ? nil : awaited
            }
            return all
        }
    }

    /// Notes that the current thread has got what it waited for.
    func end() { waits.withLock { $0[.current] = nil } }
}

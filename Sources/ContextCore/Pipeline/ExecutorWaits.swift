/// The wait-for graph of threads that run contexts, which detects contexts that would wait for each other forever.
///
/// A thread is recorded before it starts to wait and until it gets its turn, so the thread that closes a cycle sees all of it.
final class ExecutorWaits: Sendable {
    static let shared = ExecutorWaits()

    /// The context that each waiting thread waits for, guarded by the mutex.
    private let waits = Guarded<[ThreadIdentity: ContextExecutor]>([:])

    /// Records that the current thread, which runs a context's work, is about to wait for another context.
    ///
    /// - Throws: ``StoreError/Code/wouldDeadlock`` if that context waits for this thread, directly or through others.
    func recordWait(_ executor: ContextExecutor, from waiting: ContextExecutor) throws {
        let thread = ThreadIdentity.current
        let isCycle = waits.withLock { waits in
            var next: ContextExecutor? = executor
            while let candidate = next, let owner = candidate.owner {
                if owner == thread { return true }
                // A thread that owns the context that it is recorded to wait for has just got its turn.
                let awaited = waits[owner]
                next = awaited === candidate ? nil : awaited
            }
            waits[thread] = executor
            return false
        }
        if isCycle {
            throw StoreError(
                .wouldDeadlock,
                "Context \"\(waiting.name)\" can't wait for \"\(executor.name)\", which already waits for it.",
                remedy:
                    "In one of the two, call the other context after the block has returned, with await perform."
            )
        }
    }

    /// The progress of a context and of those that it waits for in turn; nil while one of them uses the store.
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

    /// Records that the current thread has stopped waiting.
    func end() { waits.withLock { $0[.current] = nil } }
}

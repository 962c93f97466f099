/// The wait-for graph of the threads that run contexts' work, which detects deadlocks between contexts.
///
/// A thread is recorded before it starts to wait and until it gets its turn, so the last thread of a cycle finds all others.
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
                // If a thread waits for a context that it owns itself, its turn has just come.
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
                    "In one of the two contexts, call the other one after the block has returned, with await perform."
            )
        }
    }

    /// Returns the progress of a context and of the contexts that it waits for in turn; nil while one of them uses the store.
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
    func recordWaitEnd() { waits.withLock { $0[.current] = nil } }
}

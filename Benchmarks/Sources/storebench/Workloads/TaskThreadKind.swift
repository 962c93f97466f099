import ContextCore

/// The threads on which the tasks of a workload run.
enum TaskThreadKind {
    /// Swift's cooperative pool, the default.
    case pool
    /// The threads of the store's `taskExecutor`.
    case store

    /// The suffix of a workload's name.
    var suffix: String {
        switch self {
        case .pool: ""
        case .store: "-at-store"
        }
    }

    /// Returns one of two values: one for the pool, one for the store's threads.
    func choose<Value>(pool: Value, store: Value) -> Value { self == .pool ? pool : store }

    /// Runs the work of a task on these threads.
    func run<Value: Sendable>(
        with store: Store, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        switch self {
        case .pool: try await work()
        case .store: try await withTaskExecutorPreference(store.taskExecutor, operation: work)
        }
    }
}

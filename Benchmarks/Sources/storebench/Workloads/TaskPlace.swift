import ContextCore

/// Where the tasks of a workload run.
enum TaskPlace {
    /// On Swift's cooperative pool, as tasks do that say nothing.
    case pool
    /// On threads of the store, by its `taskExecutor`.
    case store

    /// What it adds to a workload's name.
    var suffix: String {
        switch self {
        case .pool: ""
        case .store: "-at-store"
        }
    }

    /// Chooses between a value for the pool and one for the store's threads.
    func choose<Value>(pool: Value, store: Value) -> Value { self == .pool ? pool : store }

    /// Runs a task's work there.
    func run<Value: Sendable>(
        with store: Store, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        switch self {
        case .pool: try await work()
        case .store: try await withTaskExecutorPreference(store.taskExecutor, operation: work)
        }
    }
}

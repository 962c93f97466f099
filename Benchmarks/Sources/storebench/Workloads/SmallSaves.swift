import CBaseline
import ContextCore

extension Workload {
    /// Makes 5,000 saves of one new object, one after the other.
    static func smallSaves(_ taskThreads: TaskThreadKind) -> Workload {
        Workload(
            name: "small-saves-full\(taskThreads.suffix)",
            bars: [.sqlite: .ratio(taskThreads.choose(pool: 1.9, store: 1.45)), .postgres: .ratio(2.3)]
        ) { environment in
            try await smallSaves(environment) { store, values in
                try await taskThreads.run(with: store) {
                    for item in values { try await store.insert([item]) }
                }
            }
        }
    }

    /// Makes the same saves concurrently in 64 tasks; C makes them one by one.
    static let smallSavesTogether = Workload(
        name: "small-saves-64", bars: [.sqlite: .ratio(0.25), .postgres: .ratio(0.35)]
    ) { environment in
        try await smallSaves(environment) { store, values in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<64 {
                    let share = values[(values.count * task / 64)..<(values.count * (task + 1) / 64)]
                    group.addTask { for item in share { try await store.insert([item]) } }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func smallSaves(
        _ environment: WorkloadEnvironment, work: @escaping (Store, [ItemValues]) async throws -> Void
    ) async throws -> Sides {
        let rows = ItemRows(count: environment.scaled(5000))
        return try await environment.sides(
            before: { try await $0.clear() },
            work: { [values = rows.values] store, _ in
                try await work(store, values)
                return Int64(values.count)
            },
            baselineBefore: { try $0.call(baseline_clear) },
            baseline: { try $0.call { baseline_insert_each($0, rows.pointer, Int64(rows.count)) } })
    }
}

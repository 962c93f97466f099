import CBaseline
import ContextCore

extension Workload {
    /// Looks up 10,000 objects by identifier, in one read block with a new context.
    static let lookUp = Workload(
        name: "point-10k", bars: [.sqlite: .ratio(2.5), .postgres: .ratio(1.15), .memory: .ratio(1)]
    ) {
        environment in
        try await lookUps(environment, count: 10_000, baseline: baseline_look_up) { store, ids, _ in
            try await store.read("look up") { context in
                try ids.reduce(0) { $0 &+ (try context.checksum(of: $1)) }
            }
        }
    }

    /// Looks up 10,000 objects that are already registered in the context.
    static let lookUpRegistered = Workload(name: "point-10k-known", bars: [.sqlite: .ratio(0.2)]) {
        environment in
        try await lookUps(environment, count: 10_000, baseline: baseline_look_up) { store, ids, watch in
            try await store.read("look up") { context in
                let held = try context.fetch(Item.self)
                watch.start()
                let sum = try ids.reduce(0) { $0 &+ (try context.checksum(of: $1)) }
                watch.stop()
                return withExtendedLifetime(held) { sum }
            }
        }
    }

    /// Looks up 10,000 objects, each in its own read block.
    static func lookUpOwn(_ taskThreads: TaskThreadKind) -> Workload {
        Workload(
            name: "point-10k-own\(taskThreads.suffix)",
            bars: [.sqlite: .ratio(taskThreads.choose(pool: 16, store: 2.6))]
        ) { environment in
            try await lookUps(environment, count: 10_000, baseline: baseline_look_up_each) { store, ids, _ in
                try await taskThreads.run(with: store) { try await store.checksum(of: ids[...]) }
            }
        }
    }

    /// Looks up 40,000 objects from several tasks, each in its own read block.
    static func reads(tasks: Int, _ taskThreads: TaskThreadKind) -> Workload {
        Workload(
            name: "reads-\(tasks)\(taskThreads.suffix)",
            bars: [.sqlite: .ratio(taskThreads.choose(pool: 9, store: 3.5))]
        ) { environment in
            try await lookUps(environment, count: 40_000, baseline: nil, threads: tasks) { store, ids, _ in
                try await taskThreads.run(with: store) {
                    try await withThrowingTaskGroup(of: Int64.self) { group in
                        for task in 0..<tasks {
                            let share = ids[(ids.count * task / tasks)..<(ids.count * (task + 1) / tasks)]
                            group.addTask { try await store.checksum(of: share) }
                        }
                        return try await group.reduce(0, &+)
                    }
                }
            }
        }
    }

    private typealias CLookUp = @Sendable (OpaquePointer?, UnsafePointer<Int64>?, Int64) -> Int64

    private static func lookUps(
        _ environment: WorkloadEnvironment, count: Int, baseline: CLookUp?, threads: Int = 1,
        work: @escaping (Store, [ObjectID], Stopwatch) async throws -> Int64
    ) async throws -> Sides {
        let rows = ItemRows(count: environment.scaled(100_000))
        let numbers = rows.scatteredNumbers(environment.scaled(count))
        let ids = Cache<[ObjectID]>()
        let filled = Once()
        return try await environment.sides(
            before: { [values = rows.values] store in
                guard filled.first("\(ObjectIdentifier(store))") else { return }
                try await store.fill(with: values)
                let all = try await store.itemIDs()
                ids["\(ObjectIdentifier(store))"] = numbers.map { all[Int($0) - 1] }
            },
            work: { store, watch in try await work(store, ids["\(ObjectIdentifier(store))"] ?? [], watch) },
            baselineBefore: { database in
                if filled.first("C") { try database.fill(with: rows) }
                if baseline == nil { database.prepareTeam(of: threads) }
            },
            baseline: { database in
                guard let baseline else { return try database.lookUpByTeam(numbers) }
                return try database.call { baseline($0, numbers, Int64(numbers.count)) }
            })
    }
}

extension ObjectContext {
    /// Looks up an item, and returns its checksum.
    fileprivate func checksum(of id: ObjectID) throws -> Int64 {
        try object(with: id, as: Item.self).checksum
    }
}

extension Store {
    /// Looks up items, each in its own read block, and returns their checksum.
    fileprivate func checksum(of ids: ArraySlice<ObjectID>) async throws -> Int64 {
        var sum: Int64 = 0
        for id in ids { sum &+= try await read("look up") { try $0.checksum(of: id) } }
        return sum
    }
}

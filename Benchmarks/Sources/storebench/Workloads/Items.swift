import CBaseline
import ContextCore

extension Workload {
    /// Creates 100,000 objects in one save.
    static let insert = Workload(
        name: "insert-100k", bars: [.sqlite: .ratio(2), .postgres: .ratio(1.5), .memory: .ratio(1)]
    ) {
        environment in
        let rows = ItemRows(count: environment.scaled(100_000))
        return try await environment.sides(
            before: { try await $0.clear() },
            work: { [values = rows.values] store, _ in
                try await store.insert(values)
                return Int64(values.count)
            },
            baselineBefore: { try $0.call(baseline_clear) }, writesMany: true,
            baseline: { try $0.call { baseline_insert($0, rows.pointer, Int64(rows.count)) } })
    }

    /// Fetches 100,000 objects and reads three properties of each.
    static let fetch = Workload(
        name: "fetch-100k", bars: [.sqlite: .ratio(1.5), .postgres: .ratio(1.3), .memory: .ratio(1)]
    ) {
        environment in
        try await fetchAll(environment)
    }

    /// Measures the growth of the process while it retains 100,000 fetched objects.
    static let memory = Workload(name: "memory", bars: [.sqlite: .megabytes(24)]) { environment in
        try await fetchAll(environment)
    }

    private static func fetchAll(_ environment: WorkloadEnvironment) async throws -> Sides {
        let rows = ItemRows(count: environment.scaled(100_000))
        let filled = Once()
        return try await environment.sides(
            before: { [values = rows.values] store in
                if filled.first("\(ObjectIdentifier(store))") { try await store.fill(with: values) }
            },
            work: { store, _ in
                try await store.read("fetch") { context in
                    try context.fetch(Item.self).reduce(0) { $0 &+ $1.checksum }
                }
            },
            baselineBefore: { if filled.first("C") { try $0.fill(with: rows) } },
            baseline: { try $0.call(baseline_fetch) })
    }

    /// Changes one attribute of 10,000 fetched objects and saves.
    static let update = Workload(name: "update-10k", bars: [.sqlite: .ratio(1.5), .postgres: .ratio(1.5)]) {
        environment in
        try await change(environment, baseline: baseline_update) { item, _ in item.count += 1 }
    }

    /// Upserts 10,000 rows by a unique title; half of them update rows, the others are new.
    static let upsert = Workload(name: "upsert-10k", bars: [.sqlite: .ratio(1.5), .postgres: .ratio(1.5)]) {
        environment in
        let count = environment.scaled(10_000)
        let stored = ItemRows(count: count)
        // With other scores, so that each row changes one.
        let rows = ItemRows(count: count, first: count / 2 + 1, firstID: 1_000_000, scoreChange: 1)
        return try await environment.sides(
            before: { [values = stored.values] store in
                try await store.write("clear") { try $0.batchDelete(Article.self) }
                _ = try await store.upsert(values)
            },
            work: { [values = rows.values] store, _ in try await store.upsert(values) },
            baselineBefore: { database in
                try database.call(baseline_clear)
                try database.call { baseline_upsert($0, stored.pointer, Int64(count)) }
            },
            baseline: { database in
                try database.call { baseline_upsert($0, rows.pointer, Int64(count)) }
            })
    }

    /// Deletes 10,000 fetched objects and saves.
    static let delete = Workload(name: "delete-10k", bars: [.sqlite: .ratio(1.3), .postgres: .ratio(1.5)]) {
        environment in
        try await change(environment, baseline: baseline_delete) { item, context in context.delete(item) }
    }

    private static func change(
        _ environment: WorkloadEnvironment,
        baseline: @escaping @Sendable (OpaquePointer?, UnsafePointer<Int64>?, Int64) -> Int64,
        _ change: @escaping @Sendable (Item, ObjectContext) -> Void
    ) async throws -> Sides {
        let rows = ItemRows(count: environment.scaled(10_000))
        let numbers = (1...rows.count).map(Int64.init)
        return try await environment.sides(
            before: { [values = rows.values] in try await $0.fill(with: values) },
            work: { store, watch in
                try await store.write("change") { context in
                    let items = try context.fetch(Item.self)
                    watch.start()
                    for item in items { change(item, context) }
                    return Int64(items.count)
                }
            },
            baselineBefore: { try $0.fill(with: rows) },
            baseline: { try $0.call { baseline($0, numbers, Int64(numbers.count)) } })
    }

    /// Runs the same request 10,000 times on a small table with different values, to measure the fixed cost of a request.
    static let find = Workload(name: "find-10k", bars: [:]) { environment in
        let rows = ItemRows(count: 50)
        let numbers = (0..<environment.scaled(10_000)).map { Int64($0 % 100) }
        let filled = Once()
        return try await environment.sides(
            before: { [values = rows.values] store in
                if filled.first("\(ObjectIdentifier(store))") { try await store.fill(with: values) }
            },
            work: { store, _ in
                try await store.read("find") { context in
                    try numbers.reduce(0) { sum, number in
                        let found = try context.fetch(
                            Item.self, where: \.count == Int(number) && \.score > -1, limit: 10)
                        return found.reduce(sum) { $0 &+ $1.checksum }
                    }
                }
            },
            baselineBefore: { if filled.first("C") { try $0.fill(with: rows) } },
            baseline: { try $0.call { baseline_find($0, numbers, Int64(numbers.count)) } })
    }

    /// Filters and sorts 100,000 objects, and fetches the first 1,000 of them, 20 times.
    static let filter = Workload(name: "filter-1k", bars: [.sqlite: .ratio(1.15)]) { environment in
        let rows = ItemRows(count: environment.scaled(100_000))
        let limit = environment.scaled(1000)
        let filled = Once()
        return try await environment.sides(
            before: { [values = rows.values] store in
                if filled.first("\(ObjectIdentifier(store))") { try await store.fill(with: values) }
            },
            work: { store, _ in
                var sum: Int64 = 0
                for number in 0..<20 {
                    let least = Double(number * 40)
                    sum &+= try await store.read("filter") { context in
                        try context.fetch(
                            Item.self, where: \.score > least, order: .ascending(\.title), limit: limit
                        ).reduce(0) { $0 &+ $1.checksum }
                    }
                }
                return sum
            },
            baselineBefore: { if filled.first("C") { try $0.fill(with: rows) } },
            baseline: { database in
                try (0..<20).reduce(0) { sum, number in
                    sum &+ (try database.call { baseline_filter($0, Double(number * 40), Int64(limit)) })
                }
            })
    }
}

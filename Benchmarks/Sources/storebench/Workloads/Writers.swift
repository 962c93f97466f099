import CBaseline
import ContextCore
import Foundation

extension Workload {
    /// Eight concurrent tasks each read and change a row 500 times; C has a connection for each.
    static let writers = increments(
        "writers-8", bar: 2, writes: .concurrent(limit: 8), connections: 8, times: 500)

    /// The same with a delay of five milliseconds between reading and changing.
    static let thinkingWriters = increments(
        "writers-think", bar: 1.2, writes: .concurrent(limit: 8), connections: 8, times: 50,
        microseconds: 5000)

    /// The same with the default options, one block after the other; C uses one connection.
    static let orderedWriters = increments(
        "writers-ordered", bar: 1.5, writes: .ordered, connections: 1, times: 500)

    private static let tasks = 8

    /// Four processes of eight tasks, each with its own row; C has 32 connections.
    static let writersInProcesses = increments("writers-4x8", bar: 2, times: 100, isHot: false)

    /// The same 32 tasks increment one row; the tasks of a process share a lane, and C locks the row.
    static let hotWriters = increments("writers-hot", bar: 3, times: 50, isHot: true)

    private static func increments(_ name: String, bar: Double, times: Int, isHot: Bool) -> Workload {
        Workload(name: name, bars: [.postgres: .ratio(bar)]) { environment in
            let all = tasks * WriterCrew.size
            let rows = ItemRows(count: all)
            let times = environment.scaled(times)
            let filled = Once()
            let numbers = (0..<all).flatMap { Array(repeating: isHot ? 1 : Int64($0 + 1), count: times) }
            let crew = environment.writerCrew(tasks: tasks, isHot: isHot)
            return try await environment.sides(
                before: { [values = rows.values] store in
                    guard filled.first("\(ObjectIdentifier(store))") else { return }
                    try await store.fill(with: values)
                    try crew?.start()
                },
                work: { store, _ in
                    if let crew { return try crew.run(times: times) }
                    let ids = try await store.itemIDs()
                    try await store.increment(
                        isHot ? Array(repeating: ids[0], count: all) : ids, times: times, isHot: isHot)
                    return Int64(times * all)
                },
                baselineBefore: { database in
                    if filled.first("C") { try database.fill(with: rows) }
                    database.prepareTeam(of: all)
                },
                baseline: { try $0.incrementByTeam(numbers, locking: isHot) })
        }
    }

    private static func increments(
        _ name: String, bar: Double, writes: StoreOptions.WriteOrder, connections: Int, times: Int,
        microseconds: Int = 0
    ) -> Workload {
        Workload(name: name, bars: [.postgres: .ratio(bar)]) { environment in
            let rows = ItemRows(count: tasks)
            let times = environment.scaled(times)
            let ids = Cache<[ObjectID]>()
            let filled = Once()
            let numbers = (0..<tasks).flatMap { Array(repeating: Int64($0 + 1), count: times) }
            return try await environment.sides(
                writes: writes,
                before: { [values = rows.values] store in
                    guard filled.first("\(ObjectIdentifier(store))") else { return }
                    try await store.fill(with: values)
                    ids["\(ObjectIdentifier(store))"] = try await store.itemIDs()
                },
                work: { store, _ in
                    let ids = ids["\(ObjectIdentifier(store))"] ?? []
                    return try await withThrowingTaskGroup(of: Int64.self) { group in
                        for id in ids {
                            group.addTask {
                                for _ in 0..<times { try await store.increment(id, after: microseconds) }
                                return Int64(times)
                            }
                        }
                        return try await group.reduce(0, +)
                    }
                },
                baselineBefore: { database in
                    if filled.first("C") { try database.fill(with: rows) }
                    database.prepareTeam(of: connections)
                },
                baseline: { try $0.incrementByTeam(numbers, after: microseconds) })
        }
    }
}

extension Store {
    /// Increments each item a number of times, each in its own task.
    func increment(_ ids: [ObjectID], times: Int, isHot: Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask {
                    for _ in 0..<times { try await self.increment(id, lane: isHot ? "hot" : nil) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Reads an item, waits, and adds one to its count.
    ///
    /// - Parameter lane: The lane of the writes to the same item.
    func increment(_ id: ObjectID, after microseconds: Int = 0, lane: String? = nil) async throws {
        try await write(lane: lane, retries: 1000) { context in
            let item = try context.object(with: id, as: Item.self)
            let count = item.count
            if microseconds > 0 { usleep(UInt32(microseconds)) }
            item.count = count + 1
        }
    }
}

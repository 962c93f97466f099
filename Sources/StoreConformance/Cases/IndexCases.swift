import ContextCore
import Foundation

extension Topic {
    /// Partial indexes, which must not change results.
    static let indexes: Topic = Topic("indexes") {
        Requirement("A partial index doesn't change the results of fetches") { run in
            let coordinator = try run.coordinator(IndexModel.classes)
            let specification = InMemoryCoordinator(model: coordinator.model)
            for store in [coordinator, specification] { try fill(store) }
            for predicate in IndexModel.predicates {
                for order in [try SortKey("name"), try SortKey("count DESC")] {
                    let (expected, result) = (
                        try names("Ware", predicate, order, specification),
                        try names("Ware", predicate, order, coordinator)
                    )
                    try expectEqual(result, expected, "The rows that satisfy “\(predicate)”")
                    try expect(!expected.isEmpty, "A row satisfies “\(predicate)”")
                }
            }
            let parts = "number > 1 OR name = 'a'"
            try expectEqual(
                try names("Part", parts, SortKey("name"), coordinator), ["part 2", "part 3"],
                "The parts")
        }
        Requirement("An update moves a row into a partial index, and out of it") { run in
            let store = try await run.open(IndexModel.classes)
            let ware = try await store.write("make") { context in
                let ware = Ware(in: context, name: "x", price: 5)
                try context.save()
                return ware.objectID
            }
            func found() async throws -> Int {
                try await store.read("look") { try $0.count(Ware.self, where: \.price > 10) }
            }
            for (price, count) in [(5, 0), (11, 1), (10, 0), (12, 1)] as [(Decimal, Int)] {
                try await store.write("change") { try $0.object(with: ware, as: Ware.self).price = price }
                try expectEqual(
                    try await found(), count, "The number of wares above 10 at the price \(price)")
            }
        }
    }

    /// Inserts rows that satisfy each index's predicate, rows that don't, and rows without values.
    private static func fill(_ coordinator: any StoreCoordinator) throws {
        let harness = SessionHarness(coordinator: coordinator)
        var changes = ChangeSet()
        changes.inserts = [
            try harness.insertion("Ware", wares),
            try harness.insertion(
                "Part", (1...3).map { ($0 + 10, row("part \($0)", 0, ["number": .int($0)])) }),
        ]
        try harness.save(changes)
    }

    private static var wares: [(Int64, [String: StoredValue])] {
        let madeAt: Int64 = 1_785_585_600_250_000
        let token = UUID(uuid: (0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 255))
        let full: [String: StoredValue] = [
            "price": .decimal(10.01), "weight": .double(0.1), "madeAt": .timestamp(microseconds: madeAt),
            "token": .uuid(token), "picture": .data(Data([0, 255])),
        ]
        let other: [String: StoredValue] = [
            "price": .decimal(3.14), "weight": .double(2.5), "madeAt": .timestamp(microseconds: madeAt - 1),
            "picture": .data(Data()),
        ]
        return [
            (1, row("it's 'quoted'\\ -- ?1 $1", .min, ["isSold": .bool(true)])),
            (2, row("a", 1, ["price": .decimal(10)])), (3, row("b", 18, full)), (4, row("c", 19, other)),
            (5, row("d", 1, ["price": .decimal(3.15), "isSold": .bool(true)])),
        ]
    }

    private static func row(
        _ name: String, _ count: Int64, _ values: [String: StoredValue]
    ) -> [String: StoredValue] {
        ["name": .string(name), "count": .int(count), "isSold": .bool(false)].merging(values) { $1 }
    }

    private static func names(
        _ entity: String, _ predicate: String, _ order: SortKey, _ coordinator: any StoreCoordinator
    ) throws -> [String] {
        let model = coordinator.model
        let layout = try require(model.layout(named: entity), "The entity")
        let name = try require(layout.columns.firstIndex { $0.name == "name" }, "The column")
        let plan = FetchPlan(
            entityIndex: layout.index,
            predicate: try FetchPredicate(predicate).resolved(for: layout, in: model),
            order: [try order.resolved(for: layout, in: model)])
        let session = try coordinator.openReadSession(SessionOptions(identifier: "names"))
        defer { session.end() }
        let rows = try session.fetch(plan)
        return (0..<rows.count).map { row in
            guard case .string(let text) = rows.value(name, at: row) else { return "" }
            return text
        }
    }
}

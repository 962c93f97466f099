import ContextCore
import Foundation

extension Topic {
    /// Aggregates, groups with `having`, and rows of values, fetched by sessions.
    static let aggregates: Topic = Topic("aggregates") {
        Requirement("Aggregates over all rows, and over no rows") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                [
                    "@count", "@sum.score", "@avg.score", "@min.score", "@max.score", "@count.bonus",
                    "@sum.bonus", "@avg.bonus",
                ],
                is: [
                    [.int(5), .int(27), .double(5.4), .int(-4), .int(12), .int(3), .int(8), .double(8.0 / 3)]
                ])
            try games.expect(
                ["@count", "@sum.score", "@avg.score", "@min.score", "@max.name"], where: "score > 100",
                is: [[.int(0), .int(0), .null, .null, .null]])
        }
        Requirement("The minimum and maximum of texts, dates, decimals and floating-point numbers") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["@min.name", "@max.name", "@min.speed", "@max.speed", "@sum.speed"],
                is: [[.string("Ann"), .string("Élan"), .double(-2.5), .double(1.5), .double(-0.75)]])
            let date = StoredValue.timestamp(microseconds: -1_000_000)
            try games.expect(
                ["@min.startedAt", "@sum.price", "@max.price", "@avg.price"], of: "Game",
                is: [
                    [
                        date, .decimal(try decimal("24.99")), .decimal(try decimal("19.99")),
                        .double(12.495),
                    ]
                ])
        }
        Requirement("Groups, ordered by their common value, which may be null") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["game.title", "@count", "@sum.score"], by: ["game.title"], order: "game.title",
                is: [
                    [.null, .int(1), .int(0)], [.string("Chess"), .int(2), .int(8)],
                    [.string("Go"), .int(2), .int(19)],
                ])
            try games.expect(
                ["score", "@count"], by: ["score"], order: "@count DESC, score",
                is: [
                    [.int(12), .int(2)], [.int(-4), .int(1)], [.int(0), .int(1)], [.int(7), .int(1)],
                ])
        }
        Requirement("Having selects groups, and limit and offset apply to groups") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["game.title"], by: ["game.title"], having: "@count > 1 AND @max.score > 11",
                order: "game.title",
                is: [[.string("Chess")], [.string("Go")]])
            try games.expect(
                ["game.title"], by: ["game.title"], having: "@sum.bonus = NIL OR @sum.score > 8",
                order: "game.title",
                is: [[.string("Go")]])
            for having in ["@min.name LIKE 'A*'", "@max.name MATCHES '[A-C].*'"] {
                try games.expect(["game.title"], by: ["game.title"], having: having, is: [[.string("Go")]])
            }
            try games.expect(
                ["score"], by: ["score"], order: "score DESC", limit: 2, offset: 1,
                is: [[.int(7)], [.int(0)]])
        }
        Requirement("Groups by several values, and aggregates over a to-one relationship") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["isActive", "game.owner.name", "@avg.game.rating", "@count"],
                by: ["isActive", "game.owner.name"],
                order: "isActive, game.owner.name",
                is: [
                    [.bool(false), .null, .null, .int(1)], [.bool(false), .string("Mia"), .null, .int(1)],
                    [.bool(true), .string("Mia"), .null, .int(1)],
                    [.bool(true), .string("Paul"), .double(4.5), .int(2)],
                ])
        }
        Requirement("Rows of properties, ordered and distinct") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["name", "game.title"], where: "score > 0", order: "name",
                is: [
                    [.string("Ann"), .string("Go")], [.string("Bob"), .string("Go")],
                    [.string("Cid"), .string("Chess")],
                ])
            try games.expect(
                ["score"], order: "score", distinct: true, is: [[.int(-4)], [.int(0)], [.int(7)], [.int(12)]])
            try games.expect(
                ["bonus"], order: "bonus DESC", distinct: true, limit: 2, is: [[.int(5)], [.int(3)]])
        }
        Requirement("Rows of aggregates over relationships") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["title", "players.@count", "players.@sum.score", "fans.@count"], of: "Game", order: "title",
                is: [
                    [.string("Chess"), .int(2), .int(8), .int(1)],
                    [.string("Empty"), .int(0), .int(0), .int(0)],
                    [.string("Go"), .int(2), .int(19), .int(2)],
                ])
        }
        Requirement("Aggregates with and without subentities") { run in
            let games = try await run.aggregateHarness()
            try games.expect(["@count"], of: "Person", is: [[.int(3)]])
            try games.expect(["@count"], of: "Person", subentities: false, is: [[.int(1)]])
            try games.expect(
                ["@sum.salary", "@max.salary"], of: "Employee",
                is: [[.decimal(try decimal("3000.5")), .decimal(try decimal("2000.5"))]])
        }
        Requirement("A sum of integers that fits into 64 bits is exact, even with extreme summands") { run in
            let aggregateHarness = try run.numbers([.max, -1, .min + 2, 9_007_199_254_740_993])
            try aggregateHarness.expect(["@sum.number"], of: "Seat", is: [[.int(9_007_199_254_740_993)]])
        }
    }

    private static func decimal(_ text: String) throws -> Decimal { try require(Decimal(string: text), text) }
}

/// Fetches rows of values from a coordinator; the parts of a request are given as text.
struct AggregateHarness {
    let harness: SessionHarness

    /// Expects the rows of values that a request selects.
    func expect(
        _ columns: [String], of entity: String = "Player", where predicate: String? = nil,
        by groups: [String] = [],
        having: String? = nil, order: String? = nil, distinct: Bool = false, limit: Int? = nil,
        offset: Int = 0,
        subentities: Bool = true, is expected: [[StoredValue]], file: String = #fileID, line: Int = #line
    ) throws {
        let (layout, model) = (try harness.layout(entity), harness.model)
        let rows = RequestChecker(layout, in: model)
        let groupBy = try groups.map { try rows.expression(FetchExpression($0)) }
        let isAggregate = columns.contains { $0.hasPrefix("@") } || !groups.isEmpty
        let checker = isAggregate ? RequestChecker(layout, in: model, groupedBy: groupBy) : rows
        let plan = AggregatePlan(
            entityIndex: layout.index, includesSubentities: subentities,
            predicate: try predicate.map { try rows.predicate(FetchPredicate($0)) },
            columns: try columns.map { try checker.expression(FetchExpression($0)) }, groupBy: groupBy,
            having: try having.map { try checker.predicate(FetchPredicate($0)) },
            order: try order.map { try SortKey.keys($0).map(checker.sortKey) } ?? [], isDistinct: distinct,
            limit: limit, offset: offset)
        let found = try harness.read { try $0.aggregate(plan) }
        try expectEqual(found, expected, "The values of \(columns)", file: file, line: line)
    }
}

extension CaseRun {
    /// Opens a coordinator with the objects of `GameWorld`.
    func aggregateHarness() async throws -> AggregateHarness {
        let coordinator = try coordinator(GameModel.classes)
        let store = try Store(coordinator: coordinator)
        try await store.write("fill") { try GameWorld.fill($0) }
        registerForClosing(store)
        return AggregateHarness(harness: SessionHarness(coordinator: coordinator))
    }
}

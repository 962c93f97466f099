import ContextCore
import Foundation
import SQLiteBackend
import Testing

@testable import SQLStore

/// Requests of one shape are compiled and rendered once, with the same results as separately compiled ones.
struct StatementTemplateTests {
    private let shop: ShopModel

    init() throws { shop = try ShopModel() }

    private func plan(_ entity: String, _ predicate: String, limit: Int? = nil, offset: Int = 0) throws
        -> FetchPlan
    {
        let layout = try shop.entity(entity)
        return FetchPlan(
            entityIndex: layout.index,
            predicate: try FetchPredicate(predicate).resolved(for: layout, in: shop.model), limit: limit,
            offset: offset)
    }

    private func compiled(_ plan: FetchPlan, _ dialect: SQLDialect) throws -> SQLText {
        SQLText(
            try SQLRenderer(dialect).fragment(FetchCompiler(shop.mapping).compile(plan, ordersByKey: true).0),
            dialect)
    }

    @Test func `The same request with other values is compiled once`() throws {
        let templates = StatementTemplates(shop.mapping, .odd)
        let line = try shop.entity("Line")
        let path = PropertyPath(["order", "customer", "name"])
        let texts = try ["Ann", "Bob", "", "\u{10FFFF}", "'; DROP TABLE person; --"].map { name in
            let predicate = FetchPredicate.comparing(.path(path), .equal, .literal(.string(name)))
            let plan = FetchPlan(
                entityIndex: line.index, predicate: try predicate.resolved(for: line, in: shop.model),
                limit: name.utf8.count, offset: 3)
            return try templates.statement(plan).0
        }
        #expect(templates.compiled == 1)
        #expect(Set(texts.map(\.sql)).count == 1)
        #expect(
            texts[1].sql.hasSuffix("WHERE t2.`name` = «1» ORDER BY t0.`_id` LIMIT «2» OFFSET «3»"))
        #expect(
            texts[1].bindings == [
                .value(.string("Bob"), .text), .value(.int(3), .integer(bits: 64)),
                .value(.int(3), .integer(bits: 64)),
            ])
    }

    /// Pairs of requests; if their texts are equal, the second one uses the template of the first.
    @Test(arguments: [
        ("Order", "select = \"Go\"", "select = \"Chess\"", true),
        ("Order", "select BEGINSWITH \"Go\"", "select BEGINSWITH \"Chess\"", true),
        ("Order", "select BEGINSWITH \"Go\"", "select BEGINSWITH \"\u{10FFFF}\"", false),
        ("Order", "select BEGINSWITH \"\"", "select BEGINSWITH \"a\"", false),
        ("Order", "select CONTAINS \"'\"", "select CONTAINS \"\"", true),
        ("Order", "price > 1.05", "price > 1.005", false),
        ("Order", "price = 1.05", "price = NIL", false),
        ("Order", "price IN {1.05, 2}", "price IN {1.005, 2}", false),
        (
            "Order", "placedAt > date(\"2026-08-01T12:00:00Z\")", "placedAt > date(\"1969-08-01T12:00:00Z\")",
            true
        ),
        ("Line", "count IN {1, 2, 3}", "count IN {4, 5, 6}", true),
        ("Line", "count IN {1, 2, 3}", "count IN {4, 5}", false),
        ("Line", "count IN {1, 2, 3} OR weight < 4", "count IN {4, 5, 6} OR weight < -0.5", true),
        ("Line", "weight + 1 > count", "weight + 2.5 > count", true),
        (
            "Order", "ANY lines.count > 3 AND lines.@sum.count < 9",
            "ANY lines.count > 30 AND lines.@sum.count < 90", true
        ),
        ("Person", "name IN {\"a\", \"b\"}", "name IN {\"'\", \"x\"}", true),
        ("Clerk", "badge = uuid(\"6F9619FF-8B86-D011-B42D-00C04FC964FF\")", "badge = NIL", false),
    ])
    func `A template gives the same results as compiling the request`(
        entity: String, first: String, second: String, isShared: Bool
    ) throws {
        for dialect in [SQLDialect.odd, .numbered, .sqlite] {
            let templates = StatementTemplates(shop.mapping, dialect)
            for text in [first, second, first] {
                let plan = try plan(entity, text, limit: 5)
                guard let expected = try? compiled(plan, dialect) else {
                    #expect(throws: StoreError.self) { try templates.statement(plan) }
                    continue
                }
                let (statement, answer) = try templates.statement(plan)
                #expect(statement == expected)
                #expect(
                    answer.selection.columns
                        == SelectedColumns(shop.mapping, entityIndex: plan.entityIndex).columns)
                #expect(answer.isSorted && !answer.isGathered)
            }
            if (try? compiled(plan(entity, first), dialect)) != nil {
                #expect(templates.compiled == (isShared ? 1 : 2), "\(first), \(second)")
            }
        }
    }

    @Test func `A list of any length is one value`() throws {
        let templates = StatementTemplates(shop.mapping, .odd)
        for range in [1...17, 5...90, -3...4000] {
            let list = range.map(String.init).joined(separator: ", ")
            let (text, _) = try templates.statement(try plan("Line", "count IN {\(list)}"))
            #expect(text.bindings == [.list(range.map { .int(Int64($0)) }, .integer(bits: 64))])
        }
        #expect(templates.compiled == 1)
    }

    @Test func `A constant that is a group key and selected is one parameter`() throws {
        let line = try shop.entity("Line")
        let templates = StatementTemplates(shop.mapping, .postgresLike)
        for addend in [1, 2] {
            let sum = try RequestChecker(line, in: shop.model).expression(
                .arithmetic(.add, .path("count"), .literal(.int(Int64(addend)))))
            let groups = RequestChecker(line, in: shop.model, groupedBy: [sum])
            let count = try groups.expression(.aggregate(FetchAggregate(.count, of: .itself)))
            let (text, types) = try templates.statement(
                AggregatePlan(entityIndex: line.index, columns: [sum, count], groupBy: [sum], limit: 7))
            #expect(
                text.sql == """
                    SELECT plus(t0."count", $1), count(*) FROM "line" AS t0 GROUP BY plus(t0."count", $1) \
                    ORDER BY plus(t0."count", $1) NULLS FIRST LIMIT $2
                    """)
            #expect(
                text.bindings == [
                    .value(.int(Int64(addend)), .integer(bits: 64)), .value(.int(7), .integer(bits: 64)),
                ])
            #expect(types == [.integer(bits: 64), .integer(bits: 64)])
        }
        #expect(templates.compiled == 1)
    }

    @Test func `The cache keeps at most the maximum number of shapes, the latest ones`() throws {
        let templates = StatementTemplates(shop.mapping, .odd, capacity: 8)
        let plans = try (1...16).map { count in
            try plan("Line", (1...count).map { "count != \($0)" }.joined(separator: " AND "))
        }
        for plan in plans {
            _ = try templates.statement(plan)
            #expect(templates.count <= 8)
        }
        #expect(templates.compiled == 16)
        for plan in plans.suffix(4).reversed() { _ = try templates.statement(plan) }
        #expect(templates.compiled == 16)
        _ = try templates.statement(plans[0])
        #expect(templates.compiled == 17)
    }

    /// The order of a fetch, and whether its rows may come in any order.
    @Test(arguments: [
        (FetchOrder.none, true), (.constant, true), (.title, false), (.limit, false), (.offset, false),
        (.lock, false),
    ])
    func `A fetch of all rows by key sorts them itself`(_ order: FetchOrder, isFree: Bool) throws {
        for dialect in [SQLDialect.odd, .sqlite] {
            let plan = try order.plan(shop)
            let (text, answer) = try StatementTemplates(shop.mapping, dialect).statement(plan)
            #expect(answer.isSorted == !isFree)
            #expect(text.sql.contains("ORDER BY") == !isFree)
            #expect(answer.isGathered == (isFree && dialect.gathering != nil))
            #expect(text.sql.hasPrefix("SELECT \"context_gather\"(") == answer.isGathered)
        }
    }

    @Test func `Rows with more columns than the function supports are returned one by one`() throws {
        var dialect = SQLDialect.sqlite
        for (most, isGathered) in [(4, true), (3, false)] {
            dialect.gathering = SQLDialect.RowGathering(function: "gather", maximumColumns: most)
            var plan = try plan("Line", "count > 3")
            plan.columns = [0, 1]
            let (text, answer) = try StatementTemplates(shop.mapping, dialect).statement(plan)
            #expect(answer.selection.columns.count == 4)
            #expect(answer.isGathered == isGathered)
            #expect(text.sql.hasPrefix("SELECT \"gather\"(") == isGathered)
            #expect(!answer.isSorted)
        }
    }
}

/// The parts of a fetch that determine the order of its rows.
enum FetchOrder: String, CaseIterable, CustomTestStringConvertible {
    case none, constant, title, limit, offset, lock

    var testDescription: String { rawValue }

    func plan(_ shop: ShopModel) throws -> FetchPlan {
        let order = try shop.entity("Order")
        var plan = FetchPlan(entityIndex: order.index)
        switch self {
        case .none: break
        case .constant:
            let one = try RequestChecker(order, in: shop.model).expression(.literal(.int(1)))
            plan.order = [ResolvedSortKey(one, isDescending: false, nullsFirst: true)]
        case .title: plan.order = [try SortKey("select").resolved(for: order, in: shop.model)]
        case .limit: plan.limit = 3
        case .offset: plan.offset = 3
        case .lock: plan.lock = .update
        }
        return plan
    }
}

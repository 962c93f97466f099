import ContextCore
import Testing

@testable import SQLStore

struct AggregateTextTests {
    private let shop: ShopModel

    init() throws { shop = try ShopModel() }

    private func text(_ plan: AggregatePlan) throws -> String {
        let (select, _) = try AggregateCompiler(shop.mapping).compile(plan)
        return SQLText(try SQLRenderer(.odd).fragment(select), .odd).sql
    }

    @Test func `Groups are sorted by their keys`() throws {
        let line = try shop.entity("Line")
        let group = try RequestChecker(line, in: shop.model).expression(.path("order"))
        let groups = RequestChecker(line, in: shop.model, groupedBy: [group])
        let count = try groups.expression(.aggregate(FetchAggregate(.count, of: .itself)))
        let sum = try groups.expression(.aggregate(FetchAggregate(.sum, of: .itself, tail: ["count"])))
        #expect(
            try text(AggregatePlan(entityIndex: line.index, columns: [group, count, sum], groupBy: [group]))
                == """
                SELECT t0.`order_id`, tally(), total(t0.`count`) FROM `line` AS t0 GROUP BY t0.`order_id` \
                ORDER BY t0.`order_id` NULLS FIRST
                """)
    }

    @Test func `Of equal rows the first is returned`() throws {
        let tag = try shop.entity("Tag")
        let name = try RequestChecker(tag, in: shop.model).expression(.path("name"))
        #expect(
            try text(AggregatePlan(entityIndex: tag.index, columns: [name], isDistinct: true, limit: 3))
                == """
                SELECT firsts.`c0` FROM (SELECT lines.`c0` AS `c0`, lines.`n` AS `n`, row_number() OVER (PARTITION BY \
                lines.`c0` ORDER BY lines.`n`) AS `k` FROM (SELECT t0.`name` AS `c0`, row_number() OVER (ORDER BY \
                t0.`_id`) AS `n` FROM `tag` AS t0) AS lines) AS firsts WHERE firsts.`k` = 1 ORDER BY firsts.`n` \
                LIMIT «1»
                """)
    }
}

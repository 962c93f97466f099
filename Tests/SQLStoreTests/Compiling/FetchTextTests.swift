import ContextCore
import SQLiteBackend
import Testing

@testable import SQLStore

struct FetchTextTests {
    private let shop: ShopModel

    init() throws { shop = try ShopModel() }

    @Test func `A fetch selects its columns and sorts by key last`() throws {
        let text = try shop.fetch(
            "Order", "select = \"Go\" AND placedAt > date(\"2026-08-01T12:00:00Z\")",
            order: [SortKey("price", isDescending: true)], limit: 20, columns: nil, in: .sqlite)
        #expect(
            text.sql == """
                SELECT t0."_id", t0."_version", t0."customer_id", t0."placed_at", t0."price", t0."select" \
                FROM "order" AS t0 WHERE (t0."select" = ?1) AND (t0."placed_at" > ?2) \
                ORDER BY t0."price" DESC NULLS LAST, t0."_id" LIMIT ?3
                """)
        #expect(
            text.bindings == [
                .value(.string("Go"), .text), .value(.timestamp(microseconds: 1_785_585_600_000_000), .date),
                .value(.int(20), .integer(bits: 64)),
            ])
    }

    @Test func `Quotes and placeholders are the dialect's`() throws {
        #expect(
            try shop.fetch("Order", "select = \"Go\"", in: .odd).sql
                == "SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE t0.`select` = «1» ORDER BY t0.`_id`"
        )
        #expect(
            try shop.fetch("Order", "select = \"Go\"", in: .numbered).sql
                == """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE t0."select" = $1 ORDER BY t0."_id"
                """)
    }

    @Test func `A chain of relationships joins, with LEFT JOIN for optional ones`() throws {
        #expect(
            try shop.fetch("Line", "order.customer.name = \"Ann\"", in: .odd).sql == """
                SELECT t0.`_id`, t0.`_version` FROM `line` AS t0 LEFT JOIN `order` AS t1 ON t1.`_id` = t0.`order_id` \
                LEFT JOIN `person` AS t2 ON t2.`_id` = t1.`customer_id` WHERE t2.`name` = «1» ORDER BY t0.`_id`
                """)
    }

    @Test func `Quantifiers become EXISTS conditions`() throws {
        let sql = try shop.fetch("Order", "ANY lines.count > 3 AND NONE tags.name = \"new\"", in: .odd).sql
        #expect(
            sql == """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE EXISTS (SELECT 1 FROM `line` AS t1 \
                WHERE (t1.`order_id` = t0.`_id`) AND (t1.`count` > «1»)) AND (NOT EXISTS (SELECT 1 \
                FROM `order_tags` AS t2 JOIN `tag` AS t3 ON t3.`_id` = t2.`tag_id` \
                WHERE (t2.`order_id` = t0.`_id`) AND (t3.`name` = «2»))) ORDER BY t0.`_id`
                """)
    }

    @Test func `Order-dependent sums have an explicit order`() throws {
        #expect(
            try shop.fetch("Order", "lines.@sum.weight > 1.5", in: .numbered).sql == """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (SELECT sum(t1."weight" ORDER BY \
                t1."order_order", t1."_id") FROM "line" AS t1 WHERE t1."order_id" = t0."_id") > $1 ORDER BY t0."_id"
                """)
        #expect(
            try shop.fetch("Order", "lines.@sum.count > 1", in: .odd).sql == """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE (SELECT total(t1.`count`) FROM `line` AS t1 \
                WHERE t1.`order_id` = t0.`_id`) > «1» ORDER BY t0.`_id`
                """)
    }

    @Test func `Subentities are distinguished by their number`() throws {
        let number = shop.mapping.entities[try shop.entity("Clerk").index].number
        #expect(
            try shop.fetch("Clerk", in: .odd).sql == """
                SELECT t0.`_id`, t0.`_version`, t0.`_entity` FROM `person` AS t0 WHERE t0.`_entity` = \(number) \
                ORDER BY t0.`_id`
                """)
    }

    @Test func `Short lists are expanded, and long ones are one value`() throws {
        #expect(
            try shop.fetch("Line", "count IN {1, 2}", in: .odd).sql
                == "SELECT t0.`_id`, t0.`_version` FROM `line` AS t0 WHERE t0.`count` IN («1», «2») ORDER BY t0.`_id`"
        )
        let numbers = (1...40).map(String.init).joined(separator: ", ")
        let long = try shop.fetch("Line", "count IN {\(numbers)}", in: .odd)
        #expect(
            long.sql == """
                SELECT t0.`_id`, t0.`_version` FROM `line` AS t0 \
                WHERE t0.`count` IN (SELECT value FROM list_of(«1»)) ORDER BY t0.`_id`
                """)
        #expect(long.bindings == [.list((1...40).map { .int($0) }, .integer(bits: 64))])
    }

    @Test func `An unsupported feature of a dialect is reported without its values`() throws {
        let error = #expect(throws: StoreError.self) {
            try shop.fetch("Order", "select LIKE \"secret*\"", in: .odd)
        }
        #expect(error?.code == .unsupportedRequest)
        #expect(error?.message.contains("LIKE(t0.select)") == true)
        #expect(error?.message.contains("secret") == false)
    }
}

import ContextCore
import Testing

@testable import SQLStore

/// The SQL of pages.
struct PageTextTests {
    private let shop: ShopModel

    init() throws { shop = try ShopModel() }

    private func page(_ entity: String, _ order: String?, _ bound: KeysetBound) throws -> SQLText {
        let layout = try shop.entity(entity)
        let keys = try order.map { try SortKey.keys($0) } ?? []
        let plan = FetchPlan(
            entityIndex: layout.index, order: try keys.map { try $0.resolved(for: layout, in: shop.model) },
            limit: 3, columns: [])
        let (select, _) = try FetchCompiler(shop.mapping).compile(plan.bounded(by: bound), ordersByKey: false)
        return SQLText(try SQLRenderer(.odd).fragment(select), .odd)
    }

    @Test func `A page in the order of the keys starts in the primary key`() throws {
        let position = KeysetPosition(values: [], key: 12)
        let text = try page("Order", nil, .after(position))
        #expect(
            text.sql
                == "SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE t0.`_id` > «1» ORDER BY t0.`_id` LIMIT «2»"
        )
        #expect(text.bindings == [.value(.int(12), .key), .value(.int(3), .integer(bits: 64))])
        #expect(
            try page("Order", nil, .before(position)).sql == """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE t0.`_id` < «1» \
                ORDER BY t0.`_id` DESC, t0.`_id` LIMIT «2»
                """)
    }

    @Test func `A page in another order compares the sort values, and the keys of ties`() throws {
        let position = KeysetPosition(values: [.string("Go"), .null], key: 12)
        #expect(
            try page("Order", "select, price DESC", .after(position)).sql == """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE (t0.`select` >= «1») AND ((t0.`select` > «2») \
                OR ((t0.`select` = «3») AND (t0.`price` IS NULL) AND (t0.`_id` > «4»))) \
                ORDER BY t0.`select`, t0.`price` DESC NULLS LAST, t0.`_id` LIMIT «5»
                """)
        #expect(
            try page("Order", "select, price DESC", .before(position)).sql == """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE (t0.`select` <= «1») AND ((t0.`select` < «2») \
                OR ((t0.`select` = «3») AND (NOT (t0.`price` IS NULL))) \
                OR ((t0.`select` = «4») AND (t0.`price` IS NULL) AND (t0.`_id` < «5»))) \
                ORDER BY t0.`select` DESC, t0.`price` NULLS FIRST, t0.`_id` DESC, t0.`_id` LIMIT «6»
                """)
    }

    private func members(_ name: String, _ bound: MemberPlan.Bound?) throws -> SQLText {
        let order = shop.mapping.entities[try shop.entity("Order").index]
        let property = try #require(order.layout.property(named: name))
        let plan = MemberPlan(
            entityIndex: order.layout.index, slot: property.slot, owner: 7, bound: bound, limit: 3)
        return KeyStatements(shop.mapping, .odd).members(
            try #require(order.collections[property.slot]), plan)
    }

    @Test func `A page of members is sorted by the database`() throws {
        #expect(
            try members("tags", nil).sql
                == "SELECT `tag_id` FROM `order_tags` WHERE `order_id` = «1» ORDER BY `tag_id` LIMIT «2»")
        #expect(
            try members("tags", .before(position: 0, key: 5)).sql == """
                SELECT `tag_id` FROM `order_tags` WHERE `order_id` = «1» AND `tag_id` < «2» \
                ORDER BY `tag_id` DESC LIMIT «3»
                """)
        let lines = try members("lines", .after(position: 4, key: 5))
        #expect(
            lines.sql == """
                SELECT `_id`, coalesce(`order_order`, 0) FROM `line` WHERE `order_id` = «1» \
                AND (coalesce(`order_order`, 0) > «2» OR coalesce(`order_order`, 0) = «3» AND `_id` > «4») \
                ORDER BY coalesce(`order_order`, 0), `_id` LIMIT «5»
                """)
        #expect(lines.bindings.first == .value(.int(7), .key) && lines.bindings.count == 5)
    }
}

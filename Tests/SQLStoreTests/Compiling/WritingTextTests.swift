import ContextCore
import Testing

@testable import SQLStore

struct WritingTextTests {
    private let shop: ShopModel

    init() throws { shop = try ShopModel() }

    private func entity(_ name: String) throws -> EntityMapping {
        shop.mapping.entities[try shop.entity(name).index]
    }

    @Test func `Rows are inserted, changed and deleted by key and version`() throws {
        let line = try entity("Line")
        let rows = RowStatements(.odd)
        #expect(
            rows.insertion(into: line).sql
                == "INSERT INTO `line` (`_id`, `_version`, `count`, `order_id`, `weight`) VALUES («1», «2», «3», «4», «5»)"
        )
        #expect(
            rows.update(of: line, columns: [0, 2]).sql
                == "UPDATE `line` SET `count` = «1», `weight` = «2», `_version` = «3» WHERE `_id` = «4» AND `_version` = «5»"
        )
        #expect(rows.deletion(from: line, checksVersion: false).sql == "DELETE FROM `line` WHERE `_id` = «1»")
        #expect(
            rows.deletion(from: line, checksVersion: true).sql
                == "DELETE FROM `line` WHERE `_id` = «1» AND `_version` = «2»")
    }

    @Test func `Links are added and removed, and members of lists get positions`() throws {
        let order = try entity("Order")
        let rows = RowStatements(.odd)
        let slots = Dictionary(
            uniqueKeysWithValues: order.layout.properties.map { ($0.name, $0.slot) })
        let (tagsSlot, linesSlot) = (try #require(slots["tags"]), try #require(slots["lines"]))
        guard case .links(let tags)? = order.collections[tagsSlot],
            case .children(let lines)? = order.collections[linesSlot]
        else {
            Issue.record("The relationships are kept elsewhere.")
            return
        }
        #expect(
            rows.linkUpsert(of: tags).sql
                == "INSERT INTO `order_tags` (`order_id`, `tag_id`) VALUES («1», «2») ON CONFLICT DO NOTHING")
        #expect(
            rows.removal(of: tags).sql == "DELETE FROM `order_tags` WHERE `order_id` = «1» AND `tag_id` = «2»"
        )
        let position = try #require(lines.position)
        #expect(
            rows.positioning(position, of: lines.table).sql
                == "UPDATE `line` SET `order_order` = «1» WHERE `_id` = «2»")
        #expect(
            KeyStatements(shop.mapping, .odd).links(lines).sql == """
                SELECT `order_id`, `_id`, `order_order` FROM `line` WHERE `order_id` IN (SELECT value FROM keys_of(«1»))
                """)
    }

    @Test func `Rows that match a predicate are changed by one statement`() throws {
        let clerk = try shop.entity("Clerk")
        let number = shop.mapping.entities[clerk.index].number
        let plan = BatchPlan(
            entityIndex: clerk.index,
            predicate: try FetchPredicate("name = \"Ann\"").resolved(for: clerk, in: shop.model),
            operation: .delete)
        let column = try #require(clerk.columns.firstIndex { $0.name == "name" })
        let text = try BatchCompiler(shop.mapping, .odd).update(plan, [column: .string("Bob")])
        #expect(
            text.sql == """
                UPDATE `person` SET `name` = «1», `_version` = `_version` + 1 WHERE `_id` IN (SELECT t0.`_id` \
                FROM `person` AS t0 WHERE (t0.`_entity` = \(number)) AND (t0.`name` = «2»)) RETURNING `_id`, `_entity`
                """)
        #expect(text.bindings == [.value(.string("Bob"), .text), .value(.string("Ann"), .text)])
    }

    @Test func `Tables and indexes are created with keys, references and fitting names`() throws {
        let shop = try ShopModel(maximumNameLength: SQLDialect.odd.maximumNameLength)
        let tables = try SchemaBuilder(shop.mapping, maximumNameLength: SQLDialect.odd.maximumNameLength)
            .tables()
        let number = shop.mapping.entities[try shop.entity("Clerk").index].number
        let made = tables.flatMap { SchemaStatements(.odd).creation(of: $0).map(\.sql) }
        #expect(
            made.contains(
                """
                CREATE TABLE `line` (`_id` key PRIMARY KEY, `_version` thing NOT NULL, `count` thing NOT NULL, \
                `order_id` key REFERENCES `order` (`_id`) LATER, `weight` thing, `order_order` thing) ODDLY
                """))
        #expect(made.contains("CREATE INDEX `order_placed_at` ON `order` (`placed_at` DESC)"))
        #expect(
            made.contains(
                "CREATE UNIQUE INDEX `person_badge_unique` ON `person` (`badge`) WHERE `_entity` IN (\(number))"
            ))
        #expect(
            made.contains("CREATE INDEX `order_select` ON `order` (`select`) WHERE `placed_at` > #7"))
        // Conditions that can't be literals, or that need functions of this library, are omitted from the index, which then covers more
        // rows.
        #expect(made.contains("CREATE INDEX `order_select_` ON `order` (`select`)"))
        #expect(made.contains("CREATE INDEX `order_price` ON `order` (`price`)"))
        #expect(
            made.contains(
                """
                CREATE INDEX `person_badge` ON `person` (`badge`) WHERE `_entity` IN (\(number)) AND \
                ((NOT (`badge` IS NULL)) OR (`name` IN (L'Ann''s', L'`')))
                """))
        #expect(
            made.contains(
                """
                CREATE TABLE `order_tags` (`order_id` key NOT NULL REFERENCES `order` (`_id`) LATER, `tag_id` key NOT NULL \
                REFERENCES `tag` (`_id`) LATER, PRIMARY KEY (`order_id`, `tag_id`)) LINKED
                """))
    }
}

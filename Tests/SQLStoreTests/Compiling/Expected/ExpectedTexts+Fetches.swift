extension ExpectedTexts {
    /// Fetches of keys by predicate: the entity, and the predicate.
    static let fetches = [
        ExpectedTexts(
            "Order: select = \"Go\" AND placedAt > date(\"2026-08-01T12:00:00Z\")",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."select" = ?1) AND \
                (t0."placed_at" > ?2) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."select" = $1 COLLATE "C") AND \
                (t0."placed_at" > $2) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE (t0.`select` = «1») AND \
                (t0.`placed_at` > «2») ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Order: price = 1.5 OR price != NIL",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."price" = ?1) OR (NOT \
                (t0."price" IS NULL)) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."price" = $1) OR (NOT \
                (t0."price" IS NULL)) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE (t0.`price` = «1») OR (NOT \
                (t0.`price` IS NULL)) ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Order: select BEGINSWITH \"Go\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."select" >= ?1) AND \
                (t0."select" < ?2) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."select" >= $1 COLLATE "C") \
                AND (t0."select" < $2 COLLATE "C") ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE (t0.`select` >= «1») AND \
                (t0.`select` < «2») ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Order: select CONTAINS[c] \"go\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE \
                (instr("context_fold_1"(t0."select"), ?1) > 0) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE \
                (strpos("_store_fold_1"((t0."select")::text), $1 COLLATE "C") > 0) ORDER BY t0."_id"
                """,
            odd: nil),
        ExpectedTexts(
            "Order: select LIKE \"G?*\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE "context_like"(t0."select", ?1) \
                ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."select" LIKE $1) ORDER BY \
                t0."_id"
                """,
            odd: nil),
        ExpectedTexts(
            "Order: select MATCHES \"G.+\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE "context_matches"(t0."select", ?1, \
                0) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (t0."select" ~ $1) ORDER BY \
                t0."_id"
                """,
            odd: nil),
        ExpectedTexts(
            "Line: order.customer.name = \"Ann\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 LEFT JOIN "order" AS t1 ON t1."_id" = \
                t0."order_id" LEFT JOIN "person" AS t2 ON t2."_id" = t1."customer_id" WHERE t2."name" = ?1 \
                ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 LEFT JOIN "order" AS t1 ON t1."_id" = \
                t0."order_id" LEFT JOIN "person" AS t2 ON t2."_id" = t1."customer_id" WHERE t2."name" = $1 \
                COLLATE "C" ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `line` AS t0 LEFT JOIN `order` AS t1 ON t1.`_id` = \
                t0.`order_id` LEFT JOIN `person` AS t2 ON t2.`_id` = t1.`customer_id` WHERE t2.`name` = \
                «1» ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Line: count + 1 > weight * 2",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 WHERE "context_add_integer"(t0."count", \
                ?1) > "context_multiply_double"(t0."weight", ?2) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 WHERE \
                ("_store_add_integer"((t0."count")::int8, ($1)::int8))::numeric > \
                "_store_comparable"(("_store_multiply_double"((t0."weight")::float8, ($2)::float8))::float8) \
                ORDER BY t0."_id"
                """,
            odd: nil),
        ExpectedTexts(
            "Line: weight = order.lines.@max.weight",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 WHERE t0."weight" IS (SELECT \
                max(t1."weight") FROM "line" AS t1 WHERE t1."order_id" = t0."order_id") ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 WHERE t0."weight" IS NOT DISTINCT FROM \
                (SELECT max(t1."weight") FROM "line" AS t1 WHERE t1."order_id" = t0."order_id") ORDER BY \
                t0."_id"
                """,
            odd: nil),
        ExpectedTexts(
            "Order: ANY lines.count > 3 AND NONE tags.name = \"new\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE EXISTS (SELECT 1 FROM "line" AS t1 \
                WHERE (t1."order_id" = t0."_id") AND (t1."count" > ?1)) AND (NOT EXISTS (SELECT 1 FROM \
                "order_tags" AS t2 JOIN "tag" AS t3 ON t3."_id" = t2."tag_id" WHERE (t2."order_id" = \
                t0."_id") AND (t3."name" = ?2))) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE EXISTS (SELECT 1 FROM "line" AS t1 \
                WHERE (t1."order_id" = t0."_id") AND (t1."count" > $1)) AND (NOT EXISTS (SELECT 1 FROM \
                "order_tags" AS t2 JOIN "tag" AS t3 ON t3."_id" = t2."tag_id" WHERE (t2."order_id" = \
                t0."_id") AND (t3."name" = $2 COLLATE "C"))) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE EXISTS (SELECT 1 FROM `line` AS t1 \
                WHERE (t1.`order_id` = t0.`_id`) AND (t1.`count` > «1»)) AND (NOT EXISTS (SELECT 1 FROM \
                `order_tags` AS t2 JOIN `tag` AS t3 ON t3.`_id` = t2.`tag_id` WHERE (t2.`order_id` = \
                t0.`_id`) AND (t3.`name` = «2»))) ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Order: ALL lines.count > 3",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE NOT EXISTS (SELECT 1 FROM "line" \
                AS t1 WHERE (t1."order_id" = t0."_id") AND (NOT ((t1."count" > ?1) IS TRUE))) ORDER BY \
                t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE NOT EXISTS (SELECT 1 FROM "line" \
                AS t1 WHERE (t1."order_id" = t0."_id") AND (NOT ((t1."count" > $1) IS TRUE))) ORDER BY \
                t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE NOT EXISTS (SELECT 1 FROM `line` \
                AS t1 WHERE (t1.`order_id` = t0.`_id`) AND (NOT ((t1.`count` > «1») IS TRUE))) ORDER BY \
                t0.`_id`
                """),
        ExpectedTexts(
            "Order: lines.@count > 2 AND lines.@sum.weight < 1.5",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE ((SELECT count(*) FROM "line" AS \
                t1 WHERE t1."order_id" = t0."_id") > ?1) AND ((SELECT "context_sum_double"(t2."weight", \
                t2."order_order", t2."_id") FROM "line" AS t2 WHERE t2."order_id" = t0."_id") < ?2) ORDER \
                BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE ((SELECT count(*) FROM "line" AS \
                t1 WHERE t1."order_id" = t0."_id") > $1) AND ((SELECT \
                nullif(coalesce("_store_sum"((t2."weight")::float8 ORDER BY t2."order_order", t2."_id"), 0), 'NaN') \
                FROM "line" AS t2 WHERE t2."order_id" = t0."_id") < $2) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 WHERE ((SELECT tally() FROM `line` AS t1 \
                WHERE t1.`order_id` = t0.`_id`) > «1») AND ((SELECT total(t2.`weight`; t2.`order_order`; \
                t2.`_id`) FROM `line` AS t2 WHERE t2.`order_id` = t0.`_id`) < «2») ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Person: SELF IS Clerk AND name IN {\"Ann\", \"Bob\"}",
            sqlite: """
                SELECT t0."_id", t0."_version", t0."_entity" FROM "person" AS t0 WHERE (t0."_entity" IN \
                (1)) AND (t0."name" IN (?1, ?2)) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version", t0."_entity" FROM "person" AS t0 WHERE (t0."_entity" IN \
                (1)) AND (t0."name" IN ($1 COLLATE "C", $2 COLLATE "C")) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version`, t0.`_entity` FROM `person` AS t0 WHERE (t0.`_entity` IN \
                (1)) AND (t0.`name` IN («1», «2»)) ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Clerk: badge = NIL",
            sqlite: """
                SELECT t0."_id", t0."_version", t0."_entity" FROM "person" AS t0 WHERE (t0."_entity" = 1) \
                AND (t0."badge" IS NULL) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version", t0."_entity" FROM "person" AS t0 WHERE (t0."_entity" = 1) \
                AND (t0."badge" IS NULL) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version`, t0.`_entity` FROM `person` AS t0 WHERE (t0.`_entity` = 1) \
                AND (t0.`badge` IS NULL) ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Line: count IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 WHERE t0."count" IN (SELECT value FROM \
                json_each(?1)) ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "line" AS t0 WHERE t0."count" IN (SELECT \
                unnest($1::int8[])) ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `line` AS t0 WHERE t0.`count` IN (SELECT value FROM \
                list_of(«1»)) ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "Order: TERNARY(price > 1, uppercase(select), select) = \"GO\"",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (CASE WHEN t0."price" > ?1 THEN \
                "context_uppercase"(t0."select") ELSE t0."select" END) = ?2 ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE (CASE WHEN t0."price" > $1 THEN \
                "_store_uppercase"((t0."select")::text) ELSE t0."select" END) = $2 COLLATE "C" ORDER BY t0."_id"
                """,
            odd: nil),
        ExpectedTexts(
            "Order: year(placedAt) = 2026",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE "context_year"(t0."placed_at") = \
                ?1 ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 WHERE \
                "_store_year"((t0."placed_at")::timestamptz) = $1 ORDER BY t0."_id"
                """,
            odd: nil),
    ]
}

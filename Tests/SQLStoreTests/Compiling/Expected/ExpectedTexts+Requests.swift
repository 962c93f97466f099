extension ExpectedTexts {
    /// Other requests.
    static let requests = [
        ExpectedTexts(
            "the third page, with two sort keys",
            sqlite: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 LEFT JOIN "person" AS t1 ON t1."_id" = \
                t0."customer_id" ORDER BY t0."price" DESC NULLS LAST, t1."name" NULLS FIRST, t0."_id" \
                LIMIT ?1 OFFSET ?2
                """,
            postgres: """
                SELECT t0."_id", t0."_version" FROM "order" AS t0 LEFT JOIN "person" AS t1 ON t1."_id" = \
                t0."customer_id" ORDER BY t0."price" DESC NULLS LAST, t1."name" NULLS FIRST, t0."_id" \
                LIMIT $1 OFFSET $2
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version` FROM `order` AS t0 LEFT JOIN `person` AS t1 ON t1.`_id` = \
                t0.`customer_id` ORDER BY t0.`price` DESC NULLS LAST, t1.`name` NULLS FIRST, t0.`_id` \
                LIMIT «1» OFFSET «2»
                """),
        ExpectedTexts(
            "all columns of a tree",
            sqlite: """
                SELECT t0."_id", t0."_version", t0."_entity", t0."name", t0."badge" FROM "person" AS t0 \
                ORDER BY t0."_id"
                """,
            postgres: """
                SELECT t0."_id", t0."_version", t0."_entity", t0."name", t0."badge" FROM "person" AS t0 \
                ORDER BY t0."_id"
                """,
            odd: """
                SELECT t0.`_id`, t0.`_version`, t0.`_entity`, t0.`name`, t0.`badge` FROM `person` AS t0 \
                ORDER BY t0.`_id`
                """),
        ExpectedTexts(
            "groups with a condition",
            sqlite: """
                SELECT t0."order_id", count(*), "context_sum_double"(t0."weight", t0."_id") FROM "line" AS \
                t0 GROUP BY t0."order_id" HAVING count(*) > ?1 ORDER BY t0."order_id" NULLS FIRST
                """,
            postgres: """
                SELECT t0."order_id", count(*), nullif(coalesce("_store_sum"((t0."weight")::float8 ORDER BY \
                t0."_id"), 0), 'NaN') FROM "line" AS t0 GROUP BY t0."order_id" HAVING count(*) > $1 ORDER \
                BY t0."order_id" NULLS FIRST
                """,
            odd: """
                SELECT t0.`order_id`, tally(), total(t0.`weight`; t0.`_id`) FROM `line` AS t0 GROUP BY \
                t0.`order_id` HAVING tally() > «1» ORDER BY t0.`order_id` NULLS FIRST
                """),
        ExpectedTexts(
            "distinct values",
            sqlite: """
                SELECT firsts."c0" FROM (SELECT lines."c0" AS "c0", lines."n" AS "n", row_number() OVER \
                (PARTITION BY lines."c0" ORDER BY lines."n") AS "k" FROM (SELECT t0."name" AS "c0", \
                row_number() OVER (ORDER BY t0."_id") AS "n" FROM "tag" AS t0) AS lines) AS firsts WHERE \
                firsts."k" = 1 ORDER BY firsts."n" LIMIT ?1
                """,
            postgres: """
                SELECT firsts."c0" FROM (SELECT lines."c0" AS "c0", lines."n" AS "n", row_number() OVER \
                (PARTITION BY lines."c0" ORDER BY lines."n") AS "k" FROM (SELECT t0."name" AS "c0", \
                row_number() OVER (ORDER BY t0."_id") AS "n" FROM "tag" AS t0) AS lines) AS firsts WHERE \
                firsts."k" = 1 ORDER BY firsts."n" LIMIT $1
                """,
            odd: """
                SELECT firsts.`c0` FROM (SELECT lines.`c0` AS `c0`, lines.`n` AS `n`, row_number() OVER \
                (PARTITION BY lines.`c0` ORDER BY lines.`n`) AS `k` FROM (SELECT t0.`name` AS `c0`, \
                row_number() OVER (ORDER BY t0.`_id`) AS `n` FROM `tag` AS t0) AS lines) AS firsts WHERE \
                firsts.`k` = 1 ORDER BY firsts.`n` LIMIT «1»
                """),
        ExpectedTexts(
            "an update by predicate",
            sqlite: """
                UPDATE "line" SET "count" = ?1, "_version" = "_version" + 1 WHERE "_id" IN (SELECT \
                t0."_id" FROM "line" AS t0 LEFT JOIN "order" AS t1 ON t1."_id" = t0."order_id" WHERE \
                t1."select" = ?2) RETURNING "_id"
                """,
            postgres: """
                UPDATE "line" SET "count" = $1, "_version" = "_version" + 1 WHERE "_id" IN (SELECT \
                t0."_id" FROM "line" AS t0 LEFT JOIN "order" AS t1 ON t1."_id" = t0."order_id" WHERE \
                t1."select" = $2 COLLATE "C") RETURNING "_id"
                """,
            odd: """
                UPDATE `line` SET `count` = «1», `_version` = `_version` + 1 WHERE `_id` IN (SELECT \
                t0.`_id` FROM `line` AS t0 LEFT JOIN `order` AS t1 ON t1.`_id` = t0.`order_id` WHERE \
                t1.`select` = «2») RETURNING `_id`
                """),
    ]
}

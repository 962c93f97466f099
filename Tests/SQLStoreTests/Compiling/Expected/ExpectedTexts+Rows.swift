extension ExpectedTexts {
    /// The statements that write rows and links.
    static let rows = [
        ExpectedTexts(
            "insertion",
            sqlite: """
                INSERT INTO "person" ("_id", "_version", "_entity", "name", "badge") VALUES (?1, ?2, ?3, \
                ?4, ?5)
                """,
            postgres: """
                INSERT INTO "person" ("_id", "_version", "_entity", "name", "badge") VALUES ($1, $2, $3, \
                $4, $5)
                """,
            odd: """
                INSERT INTO `person` (`_id`, `_version`, `_entity`, `name`, `badge`) VALUES («1», «2», \
                «3», «4», «5»)
                """),
        ExpectedTexts(
            "upsert",
            sqlite: """
                INSERT INTO "order" AS t ("_id", "_version", "customer_id", "placed_at", "price", "select") \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT ("select") DO UPDATE SET \
                "_version" = t."_version" + 1, "placed_at" = excluded."placed_at", "price" = excluded."price" \
                WHERE (t."placed_at" IS NOT excluded."placed_at" OR t."price" IS NOT excluded."price") \
                RETURNING "_id"
                """,
            postgres: """
                INSERT INTO "order" AS t ("_id", "_version", "customer_id", "placed_at", "price", "select") \
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ("select") DO UPDATE SET \
                "_version" = t."_version" + 1, "placed_at" = excluded."placed_at", "price" = excluded."price" \
                WHERE (t."placed_at" IS DISTINCT FROM excluded."placed_at" OR \
                t."price" IS DISTINCT FROM excluded."price") RETURNING "_id"
                """,
            odd: """
                INSERT INTO `order` AS t (`_id`, `_version`, `customer_id`, `placed_at`, `price`, `select`) \
                VALUES («1», «2», «3», «4», «5», «6») ON CONFLICT (`select`) DO UPDATE SET \
                `_version` = t.`_version` + 1, `placed_at` = excluded.`placed_at`, `price` = excluded.`price` \
                WHERE (t.`placed_at` OTHER THAN excluded.`placed_at` OR t.`price` OTHER THAN excluded.`price`) \
                RETURNING `_id`
                """),
        ExpectedTexts(
            "upsert of a subentity",
            sqlite: """
                INSERT INTO "person" AS t ("_id", "_version", "_entity", "name", "badge") VALUES (?1, ?2, ?3, \
                ?4, ?5), (?6, ?7, ?8, ?9, ?10) ON CONFLICT ("badge") WHERE "_entity" IN (1) DO UPDATE SET \
                "_version" = t."_version" + 1, "name" = excluded."name" WHERE (t."name" IS NOT \
                excluded."name") RETURNING "_id", "_entity"
                """,
            postgres: """
                INSERT INTO "person" AS t ("_id", "_version", "_entity", "name", "badge") VALUES ($1, $2, $3, \
                $4, $5), ($6, $7, $8, $9, $10) ON CONFLICT ("badge") WHERE "_entity" IN (1) DO UPDATE SET \
                "_version" = t."_version" + 1, "name" = excluded."name" WHERE (t."name" IS DISTINCT FROM \
                excluded."name") RETURNING "_id", "_entity"
                """,
            odd: """
                INSERT INTO `person` AS t (`_id`, `_version`, `_entity`, `name`, `badge`) VALUES («1», «2», «3», \
                «4», «5»), («6», «7», «8», «9», «10») ON CONFLICT (`badge`) WHERE `_entity` IN (1) DO UPDATE SET \
                `_version` = t.`_version` + 1, `name` = excluded.`name` WHERE (t.`name` OTHER THAN \
                excluded.`name`) RETURNING `_id`, `_entity`
                """),
        ExpectedTexts(
            "insertion that ignores duplicates",
            sqlite: """
                INSERT INTO "person" AS t ("_id", "_version", "_entity", "name", "badge") VALUES (?1, ?2, ?3, \
                ?4, ?5) ON CONFLICT DO NOTHING RETURNING "_id", "_entity"
                """,
            postgres: """
                INSERT INTO "person" AS t ("_id", "_version", "_entity", "name", "badge") VALUES ($1, $2, $3, \
                $4, $5) ON CONFLICT DO NOTHING RETURNING "_id", "_entity"
                """,
            odd: """
                INSERT INTO `person` AS t (`_id`, `_version`, `_entity`, `name`, `badge`) VALUES («1», «2», «3», \
                «4», «5») ON CONFLICT DO NOTHING RETURNING `_id`, `_entity`
                """),
        ExpectedTexts(
            "update",
            sqlite: """
                UPDATE "order" SET "placed_at" = ?1, "price" = ?2, "_version" = ?3 WHERE "_id" = ?4 AND \
                "_version" = ?5
                """,
            postgres: """
                UPDATE "order" SET "placed_at" = $1, "price" = $2, "_version" = $3 WHERE "_id" = $4 AND \
                "_version" = $5
                """,
            odd: """
                UPDATE `order` SET `placed_at` = «1», `price` = «2», `_version` = «3» WHERE `_id` = «4» \
                AND `_version` = «5»
                """),
        ExpectedTexts(
            "deletion",
            sqlite: """
                DELETE FROM "order" WHERE "_id" = ?1
                """,
            postgres: """
                DELETE FROM "order" WHERE "_id" = $1
                """,
            odd: "DELETE FROM `order` WHERE `_id` = «1»"),
        ExpectedTexts(
            "deletion at a version",
            sqlite: """
                DELETE FROM "order" WHERE "_id" = ?1 AND "_version" = ?2
                """,
            postgres: """
                DELETE FROM "order" WHERE "_id" = $1 AND "_version" = $2
                """,
            odd: "DELETE FROM `order` WHERE `_id` = «1» AND `_version` = «2»"),
        ExpectedTexts(
            "deletion of a run",
            sqlite: """
                DELETE FROM "order" WHERE "_id" BETWEEN ?1 AND ?2 AND "_version" = ?3
                """,
            postgres: """
                DELETE FROM "order" WHERE "_id" BETWEEN $1 AND $2 AND "_version" = $3
                """,
            odd: "DELETE FROM `order` WHERE `_id` BETWEEN «1» AND «2» AND `_version` = «3»"),
        ExpectedTexts(
            "search for equal values",
            sqlite: """
                SELECT "_id" FROM "person" WHERE "_id" <> ?1 AND "name" = ?2 AND "_entity" IN (1)
                """,
            postgres: """
                SELECT "_id" FROM "person" WHERE "_id" <> $1 AND "name" = $2 AND "_entity" IN (1)
                """,
            odd: """
                SELECT `_id` FROM `person` WHERE `_id` <> «1» AND `name` = «2» AND `_entity` IN (1)
                """),
        ExpectedTexts(
            "link",
            sqlite: """
                INSERT INTO "order_tags" ("order_id", "tag_id") VALUES (?1, ?2) ON CONFLICT DO NOTHING
                """,
            postgres: """
                INSERT INTO "order_tags" ("order_id", "tag_id") VALUES ($1, $2) ON CONFLICT DO NOTHING
                """,
            odd: """
                INSERT INTO `order_tags` (`order_id`, `tag_id`) VALUES («1», «2») ON CONFLICT DO NOTHING
                """),
        ExpectedTexts(
            "removal of a link",
            sqlite: """
                DELETE FROM "order_tags" WHERE "order_id" = ?1 AND "tag_id" = ?2
                """,
            postgres: """
                DELETE FROM "order_tags" WHERE "order_id" = $1 AND "tag_id" = $2
                """,
            odd: "DELETE FROM `order_tags` WHERE `order_id` = «1» AND `tag_id` = «2»"),
        ExpectedTexts(
            "a position",
            sqlite: """
                UPDATE "line" SET "order_order" = ?1 WHERE "_id" = ?2
                """,
            postgres: """
                UPDATE "line" SET "order_order" = $1 WHERE "_id" = $2
                """,
            odd: "UPDATE `line` SET `order_order` = «1» WHERE `_id` = «2»"),
        ExpectedTexts(
            "removal of a position",
            sqlite: """
                UPDATE "line" SET "order_order" = NULL WHERE "_id" = ?1 AND "order_order" IS NOT NULL
                """,
            postgres: """
                UPDATE "line" SET "order_order" = NULL WHERE "_id" = $1 AND "order_order" IS NOT NULL
                """,
            odd: """
                UPDATE `line` SET `order_order` = NULL WHERE `_id` = «1» AND `order_order` IS NOT NULL
                """),
    ]
}

extension ExpectedTexts {
    /// The queries that find rows by keys.
    static let keys = [
        ExpectedTexts(
            "a row",
            sqlite: """
                SELECT "_id", "_version", "_entity", "name", "badge" FROM "person" WHERE "_entity" IN (1) \
                AND "_id" = ?1
                """,
            postgres: """
                SELECT "_id", "_version", "_entity", "name", "badge" FROM "person" WHERE "_entity" IN (1) \
                AND "_id" = $1
                """,
            odd: """
                SELECT `_id`, `_version`, `_entity`, `name`, `badge` FROM `person` WHERE `_entity` IN (1) \
                AND `_id` = «1»
                """),
        ExpectedTexts(
            "rows",
            sqlite: """
                SELECT "context_gather"("_id", "_version", "_entity", "name", "badge") FROM "person" \
                WHERE "_entity" IN (1) AND "_id" IN (SELECT value FROM json_each(?1))
                """,
            postgres: """
                SELECT "_id", "_version", "_entity", "name", "badge" FROM "person" WHERE "_entity" IN (1) \
                AND "_id" = ANY ($1)
                """,
            odd: """
                SELECT `_id`, `_version`, `_entity`, `name`, `badge` FROM `person` WHERE `_entity` IN (1) \
                AND `_id` IN (SELECT value FROM keys_of(«1»))
                """),
        ExpectedTexts(
            "a count",
            sqlite: """
                SELECT count(*) FROM "person" WHERE "_entity" IN (1) AND "_id" IN (SELECT value FROM \
                json_each(?1))
                """,
            postgres: """
                SELECT count(*) FROM "person" WHERE "_entity" IN (1) AND "_id" = ANY ($1)
                """,
            odd: """
                SELECT count(*) FROM `person` WHERE `_entity` IN (1) AND `_id` IN (SELECT value FROM \
                keys_of(«1»))
                """),
        ExpectedTexts(
            "the rows of many owners",
            sqlite: """
                SELECT "context_gather"("_id", "_version", "count", "order_id", "weight", "order_order") \
                FROM "line" WHERE "order_id" IN (SELECT value FROM json_each(?1))
                """,
            postgres: """
                SELECT "_id", "_version", "count", "order_id", "weight", "order_order" FROM "line" WHERE "order_id" = ANY ($1)
                """,
            odd: """
                SELECT `_id`, `_version`, `count`, `order_id`, `weight`, `order_order` FROM `line` WHERE `order_id` IN (SELECT value FROM keys_of(«1»))
                """),
        ExpectedTexts(
            "the keys of many owners' rows",
            sqlite: """
                SELECT "context_gather"("order_id", "_id", "order_order") FROM "line" WHERE "order_id" IN \
                (SELECT value FROM json_each(?1))
                """,
            postgres: """
                SELECT "order_id", "_id", "order_order" FROM "line" WHERE "order_id" = ANY ($1)
                """,
            odd: """
                SELECT `order_id`, `_id`, `order_order` FROM `line` WHERE `order_id` IN (SELECT value FROM \
                keys_of(«1»))
                """),
        ExpectedTexts(
            "the links of many owners",
            sqlite: """
                SELECT "context_gather"("order_id", "tag_id") FROM "order_tags" WHERE "order_id" IN \
                (SELECT value FROM json_each(?1))
                """,
            postgres: """
                SELECT "order_id", "tag_id" FROM "order_tags" WHERE "order_id" = ANY ($1)
                """,
            odd: """
                SELECT `order_id`, `tag_id` FROM `order_tags` WHERE `order_id` IN (SELECT value FROM \
                keys_of(«1»))
                """),
        ExpectedTexts(
            "the last positions of many owners",
            sqlite: """
                SELECT "order_id", max(coalesce("order_order", 0)) FROM "line" WHERE "order_id" IN \
                (SELECT value FROM json_each(?1)) GROUP BY "order_id"
                """,
            postgres: """
                SELECT "order_id", max(coalesce("order_order", 0)) FROM "line" WHERE "order_id" = ANY ($1) \
                GROUP BY "order_id"
                """,
            odd: """
                SELECT `order_id`, max(coalesce(`order_order`, 0)) FROM `line` WHERE `order_id` IN \
                (SELECT value FROM keys_of(«1»)) GROUP BY `order_id`
                """),
        ExpectedTexts(
            "rows that refer to them",
            sqlite: """
                SELECT "_id" FROM "line" WHERE "order_id" IN (SELECT value FROM json_each(?1)) ORDER BY "_id"
                """,
            postgres: """
                SELECT "_id" FROM "line" WHERE "order_id" = ANY ($1) ORDER BY "_id"
                """,
            odd: """
                SELECT `_id` FROM `line` WHERE `order_id` IN (SELECT value FROM keys_of(«1»)) ORDER BY `_id`
                """),
    ]
}

extension ExpectedTexts {
    /// All statements that create the tables of the model, in order.
    static let schema = [
        ExpectedTexts(
            "statement 1",
            sqlite: """
                CREATE TABLE "line" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "count" \
                INTEGER NOT NULL, "order_id" INTEGER REFERENCES "order" ("_id") DEFERRABLE INITIALLY \
                DEFERRED, "weight" REAL, "order_order" INTEGER) STRICT
                """,
            postgres: """
                CREATE TABLE "line" ("_id" bigint PRIMARY KEY, "_version" bigint NOT NULL, "count" bigint \
                NOT NULL, "order_id" bigint REFERENCES "order" ("_id") DEFERRABLE INITIALLY DEFERRED, \
                "weight" double precision, "order_order" bigint)
                """,
            odd: """
                CREATE TABLE `line` (`_id` key PRIMARY KEY, `_version` thing NOT NULL, `count` thing NOT \
                NULL, `order_id` key REFERENCES `order` (`_id`) LATER, `weight` thing, `order_order` \
                thing) ODDLY
                """),
        ExpectedTexts(
            "statement 2",
            sqlite: """
                CREATE INDEX "line_order_id" ON "line" ("order_id")
                """,
            postgres: """
                CREATE INDEX "line_order_id" ON "line" ("order_id")
                """,
            odd: "CREATE INDEX `line_order_id` ON `line` (`order_id`)"),
        ExpectedTexts(
            "statement 3",
            sqlite: """
                CREATE TABLE "order" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, \
                "customer_id" INTEGER REFERENCES "person" ("_id") DEFERRABLE INITIALLY DEFERRED, \
                "placed_at" INTEGER NOT NULL, "price" INTEGER, "select" TEXT NOT NULL) STRICT
                """,
            postgres: """
                CREATE TABLE "order" ("_id" bigint PRIMARY KEY, "_version" bigint NOT NULL, "customer_id" \
                bigint REFERENCES "person" ("_id") DEFERRABLE INITIALLY DEFERRED, "placed_at" timestamptz \
                NOT NULL, "price" numeric(9, 2), "select" text COLLATE "C" NOT NULL)
                """,
            odd: """
                CREATE TABLE `order` (`_id` key PRIMARY KEY, `_version` thing NOT NULL, `customer_id` key \
                REFERENCES `person` (`_id`) LATER, `placed_at` thing NOT NULL, `price` thing, `select` \
                words NOT NULL) ODDLY
                """),
        ExpectedTexts(
            "statement 4",
            sqlite: """
                CREATE UNIQUE INDEX "order_select_unique" ON "order" ("select")
                """,
            postgres: """
                CREATE UNIQUE INDEX "order_select_unique" ON "order" ("select")
                """,
            odd: "CREATE UNIQUE INDEX `order_select_unique` ON `order` (`select`)"),
        ExpectedTexts(
            "statement 5",
            sqlite: """
                CREATE INDEX "order_placed_at" ON "order" ("placed_at" DESC)
                """,
            postgres: """
                CREATE INDEX "order_placed_at" ON "order" ("placed_at" DESC)
                """,
            odd: "CREATE INDEX `order_placed_at` ON `order` (`placed_at` DESC)"),
        ExpectedTexts(
            "statement 6",
            sqlite: """
                CREATE INDEX "order_price" ON "order" ("price") WHERE "price" >= 101
                """,
            postgres: """
                CREATE INDEX "order_price" ON "order" ("price") WHERE "price" >= '1.01'::numeric
                """,
            odd: "CREATE INDEX `order_price` ON `order` (`price`)"),
        ExpectedTexts(
            "statement 7",
            sqlite: """
                CREATE INDEX "order_select" ON "order" ("select") WHERE "placed_at" > 7
                """,
            postgres: """
                CREATE INDEX "order_select" ON "order" ("select") WHERE "placed_at" > \
                '1970-01-01T00:00:00.000007Z'::timestamptz
                """,
            odd: "CREATE INDEX `order_select` ON `order` (`select`) WHERE `placed_at` > #7"),
        ExpectedTexts(
            "statement 8",
            sqlite: """
                CREATE INDEX "order_select_" ON "order" ("select") WHERE "select" = 'unwritable'
                """,
            postgres: """
                CREATE INDEX "order_select_" ON "order" ("select") WHERE "select" = 'unwritable'::text \
                COLLATE "C"
                """,
            odd: "CREATE INDEX `order_select_` ON `order` (`select`)"),
        ExpectedTexts(
            "statement 9",
            sqlite: """
                CREATE INDEX "order_customer_id" ON "order" ("customer_id")
                """,
            postgres: """
                CREATE INDEX "order_customer_id" ON "order" ("customer_id")
                """,
            odd: "CREATE INDEX `order_customer_id` ON `order` (`customer_id`)"),
        ExpectedTexts(
            "statement 10",
            sqlite: """
                CREATE TABLE "person" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "_entity" \
                INTEGER NOT NULL, "name" TEXT NOT NULL, "badge" BLOB) STRICT
                """,
            postgres: """
                CREATE TABLE "person" ("_id" bigint PRIMARY KEY, "_version" bigint NOT NULL, "_entity" \
                integer NOT NULL, "name" text COLLATE "C" NOT NULL, "badge" uuid)
                """,
            odd: """
                CREATE TABLE `person` (`_id` key PRIMARY KEY, `_version` thing NOT NULL, `_entity` thing \
                NOT NULL, `name` words NOT NULL, `badge` thing) ODDLY
                """),
        ExpectedTexts(
            "statement 11",
            sqlite: """
                CREATE UNIQUE INDEX "person_badge_unique" ON "person" ("badge") WHERE "_entity" IN (1)
                """,
            postgres: """
                CREATE UNIQUE INDEX "person_badge_unique" ON "person" ("badge") WHERE "_entity" IN (1)
                """,
            odd: """
                CREATE UNIQUE INDEX `person_badge_unique` ON `person` (`badge`) WHERE `_entity` IN (1)
                """),
        ExpectedTexts(
            "statement 12",
            sqlite: """
                CREATE INDEX "person_badge" ON "person" ("badge") WHERE "_entity" IN (1) AND ((NOT \
                ("badge" IS NULL)) OR ("name" IN ('Ann''s', '`')))
                """,
            postgres: """
                CREATE INDEX "person_badge" ON "person" ("badge") WHERE "_entity" IN (1) AND ((NOT \
                ("badge" IS NULL)) OR ("name" IN ('Ann''s'::text COLLATE "C", '`'::text COLLATE "C")))
                """,
            odd: """
                CREATE INDEX `person_badge` ON `person` (`badge`) WHERE `_entity` IN (1) AND ((NOT \
                (`badge` IS NULL)) OR (`name` IN (L'Ann''s', L'`')))
                """),
        ExpectedTexts(
            "statement 13",
            sqlite: """
                CREATE TABLE "tag" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "name" TEXT \
                NOT NULL) STRICT
                """,
            postgres: """
                CREATE TABLE "tag" ("_id" bigint PRIMARY KEY, "_version" bigint NOT NULL, "name" text \
                COLLATE "C" NOT NULL)
                """,
            odd: """
                CREATE TABLE `tag` (`_id` key PRIMARY KEY, `_version` thing NOT NULL, `name` words NOT \
                NULL) ODDLY
                """),
        ExpectedTexts(
            "statement 14",
            sqlite: """
                CREATE TABLE "order_tags" ("order_id" INTEGER NOT NULL REFERENCES "order" ("_id") \
                DEFERRABLE INITIALLY DEFERRED, "tag_id" INTEGER NOT NULL REFERENCES "tag" ("_id") \
                DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY ("order_id", "tag_id")) STRICT, WITHOUT ROWID
                """,
            postgres: """
                CREATE TABLE "order_tags" ("order_id" bigint NOT NULL REFERENCES "order" ("_id") \
                DEFERRABLE INITIALLY DEFERRED, "tag_id" bigint NOT NULL REFERENCES "tag" ("_id") \
                DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY ("order_id", "tag_id"))
                """,
            odd: """
                CREATE TABLE `order_tags` (`order_id` key NOT NULL REFERENCES `order` (`_id`) LATER, \
                `tag_id` key NOT NULL REFERENCES `tag` (`_id`) LATER, PRIMARY KEY (`order_id`, `tag_id`)) \
                LINKED
                """),
        ExpectedTexts(
            "statement 15",
            sqlite: """
                CREATE INDEX "order_tags_tag_id" ON "order_tags" ("tag_id", "order_id")
                """,
            postgres: """
                CREATE INDEX "order_tags_tag_id" ON "order_tags" ("tag_id", "order_id")
                """,
            odd: "CREATE INDEX `order_tags_tag_id` ON `order_tags` (`tag_id`, `order_id`)"),
    ]
}

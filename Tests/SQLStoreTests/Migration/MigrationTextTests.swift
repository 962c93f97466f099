import ContextCore
import SQLStore
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend

/// The statements of plans, without stores.
struct MigrationTextTests {
    private func script(
        _ dialect: MigrationDialect, _ old: [EntityDescription], _ new: [EntityDescription],
        _ hints: MigrationHints = MigrationHints()
    ) throws -> [String] {
        let versions = try ModelVersions([
            ModelVersion("V1", ObjectModel(entities: old)),
            ModelVersion("V2", ObjectModel(entities: new), hints: hints),
        ])
        let transitions = try versions.transitions(from: versions.versions[0].model)
        let plan = try MigrationScript.offlinePlan(transitions, dialect)
        return plan.script.split(separator: "\n").map(String.init)
    }

    private let title = AttributeDescription("title", .string)
    private let note = AttributeDescription("note", .string, isOptional: true)

    @Test func `SQLite adds columns in place`() throws {
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let lines = try script(
            .sqlite, [.init("Game", attributes: [title])],
            [.init("Game", attributes: [title, stars], indexes: [.init(["stars"])])])
        #expect(
            lines == [
                "-- V1-V2", "-- expand: Tables are created or extended: game.", "--   game  indexed",
                "PRAGMA foreign_keys = 0;", "BEGIN IMMEDIATE;",
                #"ALTER TABLE "game" ADD COLUMN "stars" INTEGER NOT NULL DEFAULT 3;"#,
                #"CREATE INDEX "game_stars" ON "game" ("stars");"#, "COMMIT;", "PRAGMA foreign_keys = 1;",
                "-- contract: Programs of the older version are refused from here on.",
                "PRAGMA foreign_keys = 0;", "BEGIN IMMEDIATE;", "COMMIT;", "PRAGMA foreign_keys = 1;",
            ])
    }

    @Test func `PostgreSQL adds columns in place, and indexes concurrently`() throws {
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let lines = try script(
            .postgres, [.init("Game", attributes: [title])],
            [.init("Game", attributes: [title, stars], indexes: [.init(["stars"])])])
        #expect(
            lines == [
                "-- V1-V2", "-- expand: Tables are created or extended: game.",
                "--   game           ACCESS EXCLUSIVE        in place",
                "BEGIN ISOLATION LEVEL READ COMMITTED;", "SET LOCAL lock_timeout = 500;",
                #"LOCK TABLE "game" IN ACCESS EXCLUSIVE MODE;"#, "SET CONSTRAINTS ALL IMMEDIATE;",
                #"ALTER TABLE "game" ADD COLUMN "stars" bigint NOT NULL DEFAULT '3'::int8;"#, "COMMIT;",
                "-- validate: The index game_stars is built concurrently.",
                "--   game           SHARE UPDATE EXCLUSIVE  indexed",
                #"DROP INDEX CONCURRENTLY IF EXISTS "game_stars";"#,
                #"CREATE INDEX CONCURRENTLY "game_stars" ON "game" ("stars");"#,
                "-- contract: Programs of the older version are refused from here on.",
                "--   game           ACCESS EXCLUSIVE        in place",
                "--   _store_models  ACCESS EXCLUSIVE        every program waits",
                "BEGIN ISOLATION LEVEL READ COMMITTED;", "SET LOCAL lock_timeout = 500;",
                #"LOCK TABLE "_store_models" IN ACCESS EXCLUSIVE MODE;"#,
                #"LOCK TABLE "game" IN ACCESS EXCLUSIVE MODE;"#,
                "SET CONSTRAINTS ALL IMMEDIATE;", #"ALTER TABLE "game" ALTER COLUMN "stars" DROP DEFAULT;"#,
                "COMMIT;",
            ])
    }

    /// Returns the script of a migration that renames titles to names and adds notes.
    private func renaming(_ dialect: MigrationDialect) throws -> [String] {
        try script(
            dialect, [.init("Game", attributes: [title, note], indexes: [.init(["title"])])],
            [
                .init(
                    "Game",
                    attributes: [
                        .init("name", .string), .init("note", .string, default: .value(.string("it's"))),
                    ],
                    indexes: [.init(["name"])])
            ], MigrationHints(renames: ["Game.name": "title"]))
    }

    @Test func `SQLite recreates a table once, whatever its changes`() throws {
        let lines = try renaming(.sqlite)
        #expect(
            lines == [
                "-- V1-V2", "-- contract: Tables are changed: game.", "--   game  rewritten",
                "PRAGMA foreign_keys = 0;", "BEGIN IMMEDIATE;",
                #"CREATE TABLE "_new_game" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "name" TEXT NOT NULL, "note" TEXT NOT NULL) STRICT;"#,
                #"INSERT INTO "_new_game" ("_id", "_version", "name", "note") SELECT "_id", "_version", "title", coalesce("note", 'it''s') FROM "game";"#,
                #"DROP TABLE "game";"#, #"ALTER TABLE "_new_game" RENAME TO "game";"#,
                #"CREATE INDEX "game_name" ON "game" ("name");"#, "COMMIT;", "PRAGMA foreign_keys = 1;",
            ])
    }

    @Test func `PostgreSQL renames in place, and computes only what it must`() throws {
        let lines = try renaming(.postgres)
        #expect(
            lines == [
                "-- V1-V2", "-- contract: Tables are changed: game.",
                "--   game           ACCESS EXCLUSIVE  rewritten",
                "--   _store_models  ACCESS EXCLUSIVE  every program waits",
                "BEGIN ISOLATION LEVEL READ COMMITTED;", "SET LOCAL lock_timeout = 500;",
                #"LOCK TABLE "_store_models" IN ACCESS EXCLUSIVE MODE;"#,
                #"LOCK TABLE "game" IN ACCESS EXCLUSIVE MODE;"#, "SET CONSTRAINTS ALL IMMEDIATE;",
                #"ALTER TABLE "game" ADD COLUMN "_new_note" text COLLATE "C";"#,
                #"UPDATE "game" SET "_new_note" = "_computed"."value" FROM (SELECT "_id" AS "row", coalesce("note", 'it''s'::text) AS "value" FROM "game") AS "_computed" WHERE "game"."_id" = "_computed"."row";"#,
                #"ALTER TABLE "game" DROP COLUMN "note";"#,
                #"ALTER TABLE "game" RENAME COLUMN "_new_note" TO "note";"#,
                #"ALTER TABLE "game" RENAME COLUMN "title" TO "name";"#,
                #"ALTER TABLE "game" ALTER COLUMN "note" SET NOT NULL;"#,
                #"ALTER INDEX "game_title" RENAME TO "_moved_index_0";"#,
                #"ALTER INDEX "_moved_index_0" RENAME TO "game_name";"#, "COMMIT;",
            ])
    }

    @Test(arguments: [true, false])
    func `Computed values have the statements of a batch`(_ isFile: Bool) throws {
        let dialect: MigrationDialect = isFile ? .sqlite : .postgres
        let lines = try script(
            dialect, [.init("Game", attributes: [title, note])],
            [.init("Game", attributes: [title, note, .init("words", .string)])],
            MigrationHints(conversions: ["Game.words": "title"]))
        let fill = lines.drop { !$0.hasPrefix("-- backfill") }.prefix { !$0.hasPrefix("-- contract") }
        let mark = isFile ? "?" : "$"
        #expect(
            Array(fill) == [
                "-- backfill: Game: words from conversions.",
                isFile ? "--   game  filled" : "--   game           ROW EXCLUSIVE           filled",
                "-- Game.words = title, 1000 rows at a time",
                "--   SELECT t0.\"_id\", t0.\"_version\", t0.\"title\" FROM \"game\" AS t0 WHERE t0.\"_id\" > \(mark)1 "
                    + "ORDER BY t0.\"_id\" LIMIT \(mark)2;",
                "--   UPDATE \"game\" SET \"_new_words\" = \(mark)1, \"_new__version\" = \(mark)2 WHERE \"_id\" = \(mark)3;",
            ])
    }

    @Test func `PostgreSQL checks all rows without blocking others`() throws {
        func player(_ rule: DeleteRule) -> [EntityDescription] {
            [
                .init(
                    "Game", attributes: [rule == .noAction ? note : .init("note", .string)],
                    relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)]),
                .init(
                    "Player",
                    relationships: [.init("game", to: "Game", inverse: "players", deleteRule: rule)]),
            ]
        }
        let lines = try script(.postgres, player(.noAction), player(.nullify))
        #expect(
            Array(lines.drop { !$0.contains("CHECK") }) == [
                #"ALTER TABLE "game" ADD CONSTRAINT "_new_required_2" CHECK ("note" IS NOT NULL) NOT VALID;"#,
                "COMMIT;",
                "-- contract: NOT NULL of note in game is validated without blocking other transactions.",
                "--   game           SHARE UPDATE EXCLUSIVE  read",
                #"ALTER TABLE "game" VALIDATE CONSTRAINT "_new_required_2";"#,
                "-- contract: Columns of game become NOT NULL.",
                "--   game           ACCESS EXCLUSIVE        in place",
                "BEGIN ISOLATION LEVEL READ COMMITTED;", "SET LOCAL lock_timeout = 500;",
                #"LOCK TABLE "game" IN ACCESS EXCLUSIVE MODE;"#,
                #"ALTER TABLE "game" ALTER COLUMN "note" SET NOT NULL;"#,
                #"ALTER TABLE "game" DROP CONSTRAINT "_new_required_2";"#, "COMMIT;",
            ])
    }

    @Test func `The digest depends on the steps only`() throws {
        let old = [EntityDescription("Game", attributes: [title])]
        func digest(_ new: [EntityDescription], _ dialect: MigrationDialect) throws -> String {
            let versions = try ModelVersions([
                ModelVersion("V1", ObjectModel(entities: old)),
                ModelVersion("V2", ObjectModel(entities: new)),
            ])
            return try MigrationScript.offlinePlan(
                versions.transitions(from: versions.versions[0].model), dialect
            ).digest
        }
        let new = [EntityDescription("Game", attributes: [title, note])]
        let other = [EntityDescription("Game", attributes: [title, .init("note", .int64, isOptional: true)])]
        let (first, again) = (try digest(new, .sqlite), try digest(new, .sqlite))
        #expect(first == again)
        let (second, third) = (try digest(other, .sqlite), try digest(new, .postgres))
        #expect(Set([first, second, third]).count == 3)
    }
}

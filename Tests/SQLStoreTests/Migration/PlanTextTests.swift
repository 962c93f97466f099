import ContextCore
import SQLStore
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend

/// The text of plans, without stores.
struct PlanTextTests {
    private func plan(
        _ dialect: MigrationDialect, _ old: [EntityDescription], _ new: [EntityDescription],
        _ hints: MigrationHints = MigrationHints()
    ) throws -> MigrationPlan {
        let versions = try ModelVersions([
            ModelVersion("V1", ObjectModel(entities: old)),
            ModelVersion("V2", ObjectModel(entities: new), hints: hints),
        ])
        return try MigrationScript.offlinePlan(
            versions.transitions(from: versions.versions[0].model), dialect)
    }

    /// Returns the effects of the steps on tables, as `table lock work`.
    private func effects(_ plan: MigrationPlan) -> [[String]] {
        plan.steps.map { step in
            (step.effects ?? []).map { "\($0.table) \($0.lock ?? "-") \($0.work.rawValue)" }
        }
    }

    private let title = AttributeDescription("title", .string)
    private let note = AttributeDescription("note", .string, isOptional: true)

    private let player = EntityDescription(
        "Player", attributes: [.init("name", .string)],
        relationships: [.init("game", to: "Game", inverse: "players")])

    private func game(
        _ attributes: [AttributeDescription], hasPlayers: Bool = true, indexes: [IndexDescription] = []
    ) -> EntityDescription {
        .init(
            "Game", attributes: attributes,
            relationships: hasPlayers
                ? [.init("players", to: "Player", inverse: "game", isToMany: true)] : [],
            indexes: indexes)
    }

    @Test func `A plan for PostgreSQL lists the locks on tables`() throws {
        let plan = try plan(
            .postgres, [game([title, note], hasPlayers: false)],
            [game([title], indexes: [.init(["title"])]), player],
            MigrationHints(removed: ["Game.note"]))
        #expect(
            plan.description == """
                From V1 to V2:
                  Attribute Game.note is removed, with all of its data.
                  Relationship Game.players is new.
                  Entity Game has a new index on title.
                  Entity Player is new.
                  expand: Tables are created or extended: game, player.
                    game           SHARE ROW EXCLUSIVE     in place
                  validate: The index game_title is built concurrently.
                    game           SHARE UPDATE EXCLUSIVE  indexed
                  contract: Leftovers of the older version are dropped from: game, player.
                    game           ACCESS EXCLUSIVE        in place
                    player         ACCESS EXCLUSIVE        in place
                    _store_models  ACCESS EXCLUSIVE        every program waits
                  contract: The foreign keys of player are validated without blocking other transactions.
                    player         SHARE UPDATE EXCLUSIVE  read
                The numbers of rows are unknown without a store.
                Lost: Game.note.
                """)
    }

    @Test func `A plan for SQLite lists the recreated tables`() throws {
        let plan = try plan(
            .sqlite, [game([title, note], hasPlayers: false)],
            [game([title], indexes: [.init(["title"])]), player],
            MigrationHints(removed: ["Game.note"]))
        #expect(
            effects(plan) == [["game - indexed"], ["game - rewritten", "player - rewritten"]])
        #expect(plan.description.contains("\n    game    rewritten\n    player  rewritten\n"))
    }

    @Test(arguments: [true, false])
    func `Computed values are filled into a table that is altered before`(_ isServer: Bool) throws {
        let plan = try plan(
            isServer ? .postgres : .sqlite, [game([title], hasPlayers: false)],
            [game([title, .init("length", .int64)], hasPlayers: false)],
            MigrationHints(conversions: ["Game.length": "1"]))
        #expect(
            effects(plan).prefix(2)
                == (isServer
                    ? [["game ACCESS EXCLUSIVE none"], ["game ROW EXCLUSIVE filled"]]
                    : [["game - none"], ["game - filled"]]))
    }

    @Test func `A unique index is created under an exclusive lock, which is reported`() throws {
        func unique(_ isUnique: Bool) -> [EntityDescription] {
            [.init("Game", attributes: [title], uniqueConstraints: isUnique ? [.init(["title"])] : [])]
        }
        func rules(_ plan: MigrationPlan) -> [String] { plan.findings.map(\.rule) }
        let demanded = try plan(.postgres, unique(false), unique(true))
        #expect(rules(demanded) == ["unique-on-duplicates", "index-not-concurrent"])
        #expect(effects(demanded)[0].first == "game ACCESS EXCLUSIVE indexed")
        let indexed = try plan(
            .postgres, unique(false), [game([title], hasPlayers: false, indexes: [.init(["title"])])])
        #expect(rules(indexed) == [])
        #expect(rules(try plan(.postgres, unique(true), unique(false))) == [])
        // SQLite locks a file as a whole, whatever the step does.
        #expect(rules(try plan(.sqlite, unique(false), unique(true))) == ["unique-on-duplicates"])
    }
}

import ContextCore
import Foundation
import Testing

/// User-defined triggers, views and indexes in a store's file that exist when a migration begins.
struct BystanderTests {
    private static let title = AttributeDescription("title", .string)
    private static let note = AttributeDescription("note", .string, isOptional: true)
    private static let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))

    private func version(
        _ name: String, _ entities: [EntityDescription], _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        ModelVersion(name, try ObjectModel(entities: entities), hints: hints)
    }

    private func makeStore(_ version: ModelVersion) async throws -> MigratedStore {
        let store = try MigratedStore(.sqlite)
        try await store.write(version.model) { try $0.make("Game", ["title": .string("a")]) }
        try store.sql("CREATE TABLE log (text TEXT)")
        return store
    }

    private func names(_ store: MigratedStore, _ kind: String) throws -> [String] {
        try store.sql(
            "SELECT name FROM sqlite_schema WHERE type = '\(kind)' AND sql IS NOT NULL ORDER BY name"
        ).map {
            if case .string(let name)? = $0.first { name } else { "" }
        }
    }

    private static let noting =
        "CREATE TRIGGER noted AFTER DELETE ON game BEGIN INSERT INTO log VALUES ('gone'); END"

    @Test func `Objects created since the plan stop the last phase, and are never lost`() async throws {
        let versions = [
            try version("V1", [.init("Game", attributes: [Self.title, Self.note])]),
            try version(
                "V2", [.init("Game", attributes: [Self.title, Self.stars])],
                MigrationHints(acceptedLosses: ["Game.note"])),
        ]
        let store = try await makeStore(versions[0])
        var options = MigrationOptions()
        options.lastPhase = .validate
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.isPending)
        try store.sql(Self.noting)
        try store.sql(
            "CREATE TRIGGER elsewhere AFTER DELETE ON log BEGIN INSERT INTO log VALUES ('kept'); END")
        let refused = await refusal { try await store.migrate(versions) }
        #expect(refused?.code == .migrationRefused)
        #expect(
            refused?.message
                == "noted is a user-defined object that was created or changed after the migration was planned."
        )
        #expect(try names(store, "trigger") == ["elsewhere", "noted"])
        try store.sql("DROP TRIGGER noted")
        try await store.migrate(versions)
        #expect(try names(store, "trigger") == ["elsewhere"])
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test func `A trigger is removed with its table, and later versions don't expect it`() async throws {
        let versions = [
            try version(
                "V1",
                [
                    .init("Game", attributes: [Self.title, Self.note]),
                    .init("Player", attributes: [.init("name", .string)]),
                ]),
            try version(
                "V2", [.init("Game", attributes: [Self.title, Self.note])],
                MigrationHints(removed: ["Player"], acceptedLosses: ["Player"])),
            try version(
                "V3", [.init("Game", attributes: [Self.title])],
                MigrationHints(removed: ["Game.note"], acceptedLosses: ["Game.note"])),
        ]
        let store = try await makeStore(versions[0])
        try store.sql(
            "CREATE TRIGGER left AFTER DELETE ON player BEGIN INSERT INTO log VALUES ('gone'); END")
        try store.sql(Self.noting)
        try store.sql("CREATE INDEX hand_made ON game (title DESC)")
        var options = MigrationOptions()
        options.digest = try store.plan(versions).digest
        try await store.migrate(versions, options)
        #expect(try names(store, "trigger") == ["noted"])
        #expect(try names(store, "index").contains("hand_made"))
        // A plan for the remaining steps made in advance equals one made later.
        let again = try await makeStore(versions[0])
        try again.sql(Self.noting)
        try again.sql("CREATE VIEW titles AS SELECT title FROM game")
        try again.sql(
            "CREATE TRIGGER earlier AFTER INSERT ON log BEGIN DELETE FROM log WHERE text = 'x'; END")
        options.digest = try again.plan(versions).digest
        var first = options
        first.version = "V2"
        first.digest = nil
        try await again.migrate(versions, first)
        let rest = try again.plan(versions)
        let whole = try store.kind.backend.migrationPlan(
            of: store.url, to: ModelVersions([versions[2]]))
        #expect(whole.isEmpty)
        #expect(rest.segments.count == 1)
        try await again.migrate(versions)
        #expect(try names(again, "trigger") == ["earlier", "noted"])
    }

    @Test(arguments: [
        (
            "CREATE TRIGGER t AFTER DELETE ON game BEGIN INSERT INTO log VALUES ('gone'); END", "trigger t",
            "game"
        ),
        ("CREATE INDEX t ON game (title DESC)", "index t", "game"),
        ("CREATE VIEW t AS SELECT title FROM Game", "view t", "game"),
    ])
    func `A user-defined object on a renamed table must be dropped first`(
        _ made: (sql: String, name: String, subject: String)
    ) async throws {
        let versions = [
            try version("V1", [.init("Game", attributes: [Self.title])]),
            try version(
                "V2", [.init("Match", attributes: [Self.title])], MigrationHints(renames: ["Match": "Game"])),
        ]
        let store = try await makeStore(versions[0])
        try store.sql(made.sql)
        let refused = await refusal { try await store.migrate(versions) }
        #expect(refused?.code == .migrationRefused)
        #expect(
            refused?.message
                == "The \(made.name) is user-defined and refers to \(made.subject), which the migration renames to match."
        )
        #expect(try store.state().run == nil)
        try store.sql("DROP \(made.name)")
        try await store.migrate(versions)
        let titles = try await store.read(versions[1].model) { try $0.values("Match", "title") }
        #expect(titles == [.string("a")])
    }

    @Test func `A user-defined object on a removed column must be dropped first`() async throws {
        let versions = [
            try version("V1", [.init("Game", attributes: [Self.title, Self.note])]),
            try version(
                "V2", [.init("Game", attributes: [Self.title])],
                MigrationHints(removed: ["Game.note"], acceptedLosses: ["Game.note"])),
        ]
        let store = try await makeStore(versions[0])
        try store.sql(
            "CREATE TRIGGER noted AFTER DELETE ON game BEGIN INSERT INTO log VALUES (old.note); END")
        let refused = await refusal { try await store.migrate(versions) }
        #expect(
            refused?.message
                == "The trigger noted is user-defined and refers to game.note, which the migration renames or drops."
        )
        #expect(try store.state().models.map(\.fingerprint) == [versions[0].model.fingerprint])
    }
}

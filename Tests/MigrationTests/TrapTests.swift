import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Known pitfalls of recreating tables in SQLite.
struct TrapTests {
    private static let old = ModelVersion("V1", model("title"))
    /// A version with a column removed, for which the table is recreated.
    private static let new = ModelVersion(
        "V2", model(), hints: MigrationHints(removed: ["Game.title"], acceptedLosses: ["Game.title"]))

    private static func model(_ attributes: String...) -> ObjectModel {
        let game = EntityDescription(
            "Game",
            attributes: attributes.map { .init($0, .string, isOptional: true) } + [.init("rank", .int64)],
            relationships: [
                .init("players", to: "Player", inverse: "game", isToMany: true, deleteRule: .cascade)
            ],
            indexes: [.init(["rank"])])
        let player = EntityDescription(
            "Player", attributes: [.init("name", .string)],
            relationships: [.init("game", to: "Game", inverse: "players", isOptional: false)])
        guard let model = try? ObjectModel(entities: [game, player]) else {
            preconditionFailure("The model is wrong.")
        }
        return model
    }

    private func makeStore() async throws -> MigratedStore {
        let store = try MigratedStore(.sqlite)
        try await store.write(Self.old.model) { context in
            for rank in 1...3 {
                let game = try context.make("Game", ["rank": .int(Int64(rank))])
                for index in 1...4 {
                    try context.make("Player", ["name": .string("\(rank)-\(index)")]).set("game", to: game)
                }
            }
        }
        return store
    }

    private func migrate(_ store: MigratedStore) async throws -> MigrationOutcome {
        try await store.migrate([Self.old, Self.new])
    }

    @Test func `Members remain after their owners' table is recreated`() async throws {
        let store = try await makeStore()
        _ = try await migrate(store)
        let counts = try store.sql("SELECT game_id, count(*) FROM player GROUP BY 1 ORDER BY 1")
        #expect(counts == (1...3).map { [.int($0), .int(4)] })
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test func `User-defined triggers, views and indexes remain, and work`() async throws {
        let store = try await makeStore()
        try store.sql("CREATE TABLE log (text TEXT)")
        try store.sql("CREATE VIEW ranks AS SELECT rank FROM game JOIN player ON player.game_id = game._id")
        try store.sql("CREATE INDEX hand_made ON game (rank DESC, _id)")
        try store.sql(
            "CREATE TRIGGER noted AFTER DELETE ON game BEGIN INSERT INTO log VALUES ('gone ' || old.rank); END"
        )
        try store.sql(
            "CREATE TRIGGER elsewhere AFTER INSERT ON log BEGIN DELETE FROM log WHERE text = (SELECT rank FROM game); END"
        )
        _ = try await migrate(store)
        let names = try store.sql(
            "SELECT name FROM sqlite_schema WHERE name IN ('ranks', 'hand_made', 'noted', 'elsewhere') ORDER BY name"
        )
        #expect(
            names == [[.string("elsewhere")], [.string("hand_made")], [.string("noted")], [.string("ranks")]])
        let ranks = try store.sql("SELECT count(*) FROM ranks")
        #expect(ranks == [[.int(12)]])
        try store.sql("INSERT INTO game (_id, _version, rank) VALUES (100, 1, 9)")
        try store.sql("DELETE FROM game WHERE _id = 100")
        let log = try store.sql("SELECT text FROM log")
        #expect(log == [[.string("gone 9")]])
    }

    @Test func `No key is reused, not even that of the last row`() async throws {
        let store = try await makeStore()
        let last = try await store.read(Self.old.model) { try $0.all("Game").map(\.objectID.key).max() ?? 0 }
        try await store.write(Self.old.model) { context in
            for game in try context.all("Game") { context.delete(game) }
        }
        _ = try await migrate(store)
        try await store.write(Self.new.model) { try $0.make("Game", ["rank": .int(1)]) }
        let next = try await store.read(Self.new.model) { try $0.all("Game").map(\.objectID.key).max() ?? 0 }
        #expect(next > last)
    }

    @Test func `Existing dangling references are reported, and stop nothing`() async throws {
        let store = try await makeStore()
        try store.orphan()
        let outcome = try await migrate(store)
        #expect(outcome.notes == ["1 reference was dangling before the migration and was left unchanged."])
        let players = try store.sql("SELECT count(*) FROM player")
        #expect(players == [[.int(12)]])
    }

    @Test func `Only recreated tables and those that refer to them are searched for these`() async throws {
        let store = try await makeStore()
        try store.orphan()
        try store.sql("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        try store.sql("CREATE TABLE child (parent INTEGER REFERENCES parent (id))")
        let connection = try SQLiteConnection(
            path: store.url.path, access: .readAndWrite, timeout: .seconds(5))
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = 0")
        for key in [7, 7, 8] { try connection.execute("INSERT INTO child VALUES (\(key))") }
        let references = DanglingReferences(connection)
        #expect(try references.descriptions(in: ["game", "gone"]) == ["a reference to 999"])
        #expect(
            try references.descriptions(in: ["child"])
                == ["a reference to 7", "a reference to 7 (2)", "a reference to 8"])
    }

    @Test func `Entities can exchange their names`() async throws {
        let store = try MigratedStore(.sqlite)
        func version(_ name: String, _ first: EntityDescription, _ second: EntityDescription) throws
            -> ModelVersion
        {
            ModelVersion(name, try ObjectModel(entities: [first, second]))
        }
        let old = try version(
            "V1", .init("A", attributes: [.init("x", .int64)]), .init("B", attributes: [.init("y", .string)]))
        let new = try version(
            "V2", .init("A", attributes: [.init("y", .string)], renamingIdentifier: "B"),
            .init("B", attributes: [.init("x", .int64)], renamingIdentifier: "A"))
        try await store.write(old.model) { context in
            try context.make("A", ["x": .int(1)])
            try context.make("B", ["y": .string("b")])
        }
        try await store.migrate([old, new])
        let values = try await store.read(new.model) { try $0.values("A", "y") + $0.values("B", "x") }
        #expect(values == [.string("b"), .int(1)])
    }

    @Test func `A backup is made before anything is lost`() async throws {
        let store = try await makeStore()
        var options = MigrationOptions()
        options.backupPath = store.path("copy.sqlite")
        // The leftover of another process that was killed while it copied.
        try Data("half".utf8).write(to: URL(filePath: store.path("copy.sqlite.unfinished")))
        try await store.migrate([Self.old, Self.new], options)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.path(""))
        #expect(names.allSatisfy { !$0.hasSuffix("unfinished") })
        let copy = try await Store.open(
            "sqlite:\(store.path("copy.sqlite"))", backends: [.sqlite], model: Self.old.model,
            migration: .none)
        let count = try await copy.read("count") { try $0.all("Player").count }
        #expect(count == 12)
        await copy.close()
    }
}

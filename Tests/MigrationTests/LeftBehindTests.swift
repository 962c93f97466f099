import ContextCore
import Foundation
import Testing

/// Reports about stores whose migration was killed.
struct LeftBehindTests {
    private func versions() throws -> [ModelVersion] {
        let title = AttributeDescription("title", .string)
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let count = AttributeDescription("count", .int64, storage: .derived(.count(relationship: "players")))
        func game(_ attributes: [AttributeDescription]) -> EntityDescription {
            .init(
                "Game", attributes: [title] + attributes,
                relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)])
        }
        let player = EntityDescription(
            "Player", relationships: [.init("game", to: "Game", inverse: "players")])
        return [
            ModelVersion("V1", try ObjectModel(entities: [.init("Game", attributes: [title])])),
            ModelVersion("V2", try ObjectModel(entities: [game([count]), player])),
            ModelVersion("V3", try ObjectModel(entities: [game([count, stars]), player])),
        ]
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { try $0.make("Game", ["title": .string("a")]) }
        return store
    }

    /// Creates a store whose migration was killed after it had created tables that the older version doesn't have.
    private func killed(_ kind: StoreKind) async throws -> MigratedStore {
        let versions = try versions()
        var count = 0
        while true {
            let store = try await makeStore(kind, versions[0].model)
            let isKilled = try await store.migrateDying(after: count, Array(versions.prefix(2)))
            try #require(isKilled)
            if try store.state().run != nil { return store }
            count += 1
        }
    }

    @Test(arguments: StoreKind.present)
    func `Tables of a killed migration belong to the store, and are removed with it`(_ kind: StoreKind)
        async throws
    {
        let store = try await killed(kind)
        let inspector = try kind.backend.inspect(store.url)
        defer { inspector.close() }
        let maintainer = try #require(inspector as? any StoreMaintainer)
        let tables = try maintainer.tables()
        #expect(tables.contains { $0.name == "player" && $0.role == .objects(entityName: "Player") })
        #expect(tables.filter { $0.role == .other }.map(\.name) == [])
        try maintainer.drop()
        guard kind == .postgres else { return }
        #expect(try maintainer.tables().map(\.name) == [])
        // The schema was removed with the store, and is created again for the test to drop it.
        try store.sql("CREATE SCHEMA IF NOT EXISTS \"\(store.url.options["schema"] ?? "")\"")
    }

    @Test(arguments: StoreKind.present)
    func `A user-defined table with the name of a future one stays the user's`(_ kind: StoreKind)
        async throws
    {
        let title = AttributeDescription("title", .string)
        let old = try ObjectModel(entities: [.init("Game", attributes: [title])])
        let new = try ObjectModel(entities: [
            .init("Game", attributes: [title, .init("rank", .int64)]),
            .init("Player", attributes: [.init("name", .string)]),
        ])
        let hints = MigrationHints(conversions: ["Game.rank": "5"])
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)]
        var store = try await makeStore(kind, old)
        var count = 0
        while try await store.migrateDying(after: count, versions), try store.state().run == nil {
            store = try await makeStore(kind, old)
            count += 1
        }
        try #require(store.state().run?.done == 1)
        try store.sql("CREATE TABLE player (mine integer)")
        let inspector = try kind.backend.inspect(store.url)
        defer { inspector.close() }
        let others = try #require(inspector as? any StoreMaintainer).tables().filter { $0.role == .other }
        #expect(others.map(\.name) == ["player"])
    }

    @Test(arguments: StoreKind.present)
    func `A migration begun by an older version of the library is continued`(_ kind: StoreKind) async throws {
        let versions = Array(try versions().prefix(2))
        let store = try await killed(kind)
        let older =
            kind == .sqlite ? "json_remove(value, '$.lastPhase')" : "(value::jsonb - 'lastPhase')::text"
        try store.sql("UPDATE _store_metadata SET value = \(older) WHERE name = 'migration.run'")
        #expect(try store.state().run?.lastPhase == .contract)
        try await store.migrate(versions)
        #expect(try store.state().run == nil)
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `An unreadable migration record doesn't prevent inspecting the tables`(_ kind: StoreKind)
        async throws
    {
        let store = try await killed(kind)
        try store.sql("UPDATE _store_metadata SET value = '{}' WHERE name = 'migration.run'")
        let inspector = try kind.backend.inspect(store.url)
        defer { inspector.close() }
        let tables = try #require(inspector as? any StoreMaintainer).tables()
        #expect(tables.contains { $0.name == "game" && $0.role == .objects(entityName: "Game") })
    }

    @Test(arguments: StoreKind.present)
    func `A restore replaces a store with a killed migration`(_ kind: StoreKind) async throws {
        let versions = try versions()
        let store = try await killed(kind)
        let whole = try await makeStore(kind, versions[0].model)
        let made = whole.storectl("backup", "create", "--out", store.path("whole.sqlite"))
        try #require(made.isDone, "\(made.problems)")
        let name = String(try #require(store.url.path.split(separator: "/").last))
        let restored = store.storectl("backup", "restore", store.path("whole.sqlite"), "--confirm", name)
        try #require(restored.isDone, "\(restored.problems)")
        #expect(try store.drift() == [])
        #expect(try store.state().run == nil)
        try await store.migrate(versions)
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `The tool resumes a migration in progress, and goes no further`(_ kind: StoreKind) async throws {
        let versions = try versions()
        let store = try await killed(kind)
        try store.freeze(versions)
        let resumed = store.storectl("migrate", "resume")
        try #require(resumed.isDone, "\(resumed.problems)")
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.models.last?.fingerprint == versions[1].model.fingerprint)
        #expect(resumed.output.contains("V1-V2"))
        #expect(!resumed.output.contains("V2-V3"))
    }

    @Test(arguments: StoreKind.present)
    func `The tool leaves the last phase to migrate complete, unless it was begun`(_ kind: StoreKind)
        async throws
    {
        let all = try versions()
        let note = AttributeDescription("note", .string, isOptional: true)
        let versions = [
            ModelVersion(
                "V1",
                try ObjectModel(entities: [.init("Game", attributes: [.init("title", .string), note])])),
            ModelVersion(
                "V2", all[0].model, hints: MigrationHints(acceptedLosses: ["Game.note"])),
        ]
        let store = try await makeStore(kind, versions[0].model)
        var options = MigrationOptions()
        options.lastPhase = .validate
        try await store.migrate(versions, options)
        try store.freeze(versions)
        let resumed = store.storectl("migrate", "resume", "--backup", "none")
        #expect(resumed.isDone, "\(resumed.problems)")
        #expect(resumed.output.contains("storectl migrate complete"))
        #expect(try store.state().run?.isShared == true)
        let completed = store.storectl("migrate", "complete", "--backup", "none")
        #expect(completed.isDone, "\(completed.problems)")
        #expect(try store.state().run == nil)
    }
}

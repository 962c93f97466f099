import ContextCore
import Foundation
import Testing

/// Plans, phases, and programs of both versions.
struct PhaseTests {
    private func version(
        _ name: String, _ attributes: [AttributeDescription], _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        ModelVersion(name, try ObjectModel(entities: [.init("Game", attributes: attributes)]), hints: hints)
    }

    private func versions() throws -> [ModelVersion] {
        [
            try version("V1", [.init("title", .string), .init("note", .string, isOptional: true)]),
            try version(
                "V2", [.init("title", .string), .init("stars", .int64, default: .value(.int(3)))],
                MigrationHints(acceptedLosses: ["Game.note"])),
        ]
    }

    @Test(arguments: StoreKind.present)
    func `Programs of both versions work between expand and contract`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let versions = try versions()
        let (old, new) = (versions[0].model, versions[1].model)
        try await store.write(old) { try $0.make("Game", ["title": .string("a"), "note": .string("n")]) }
        let older = try await store.open(old)
        var options = MigrationOptions()
        options.lastPhase = .validate
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.isPending)
        try await older.write("older") {
            _ = try $0.make("Game", ["title": .string("b"), "note": .string("m")])
        }
        let newer = try await store.open(new)
        try await newer.write("newer") { _ = try $0.make("Game", ["title": .string("c"), "stars": .int(5)]) }
        let notes = try await older.read("notes") { try $0.values("Game", "note") }
        #expect(notes == [.string("n"), .string("m"), .null])
        let stars = try await newer.read("stars") { try $0.values("Game", "stars") }
        #expect(stars == [.int(3), .int(3), .int(5)])
        try await store.migrate(versions)
        let error = await #expect(throws: StoreError.self) {
            try await older.write("late") { _ = try $0.make("Game", ["title": .string("d")]) }
        }
        #expect(error?.code == .modelMismatch)
        let count = try await newer.read("all") { try $0.all("Game").count }
        #expect(count == 3)
        await older.close()
        await newer.close()
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test(arguments: StoreKind.present)
    func `An addition is rolled back once its loss is accepted`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let old = try ObjectModel(entities: [.init("Game", attributes: [.init("title", .string)])])
        let new = try ObjectModel(entities: [
            .init(
                "Game",
                attributes: [.init("title", .string), .init("stars", .int64, default: .value(.int(3)))],
                relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)],
                indexes: [.init(["stars"])]),
            .init("Player", relationships: [.init("game", to: "Game", inverse: "players")]),
        ])
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        try await store.write(old) { try $0.make("Game", ["title": .string("a")]) }
        let nothing = await refusal { try store.kind.backend.rollBackMigration(of: store.url) }
        #expect(nothing?.code == .migrationRefused)
        var options = MigrationOptions()
        options.lastPhase = .validate
        try await store.migrate(versions, options)
        let unnamed = await refusal { try store.kind.backend.rollBackMigration(of: store.url) }
        #expect(unnamed?.code == .migrationRefused)
        options.acceptedLosses = ["Game.stars", "Game.players", "Player"]
        try store.kind.backend.rollBackMigration(of: store.url, options)
        let drift = try store.drift()
        #expect(drift == [])
        try await store.write(old) { try $0.make("Game", ["title": .string("b")]) }
        try await store.migrate(versions)
        let stars = try await store.read(new) { try $0.values("Game", "stars") }
        #expect(stars == [.int(3), .int(3)])
    }

    @Test(arguments: StoreKind.present)
    func `A program of the older version deletes objects with unknown references to them`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        let title = AttributeDescription("title", .string)
        let old = try ObjectModel(entities: [.init("Game", attributes: [title])])
        let new = try ObjectModel(entities: [
            .init(
                "Game", attributes: [title],
                relationships: [
                    .init("players", to: "Player", inverse: "game", isToMany: true),
                    .init("tags", to: "Tag", inverse: "games", isToMany: true),
                    .init("sequel", to: "Game", inverse: "original"),
                    .init("original", to: "Game", inverse: "sequel"),
                ]),
            .init("Player", relationships: [.init("game", to: "Game", inverse: "players")]),
            .init("Tag", relationships: [.init("games", to: "Game", inverse: "tags", isToMany: true)]),
        ])
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        try await store.write(old) { context in
            for title in ["a", "b"] { try context.make("Game", ["title": .string(title)]) }
        }
        var options = MigrationOptions()
        options.lastPhase = .validate
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.isPending)
        try await store.write(new) { context in
            let games = try context.all("Game")
            try context.make("Player").set("game", to: games[1])
            try context.make("Tag").set("games", to: games)
            try games[0].set("sequel", to: games[1])
        }
        try await store.write(old) { context in context.delete(try context.all("Game")[1]) }
        try await store.migrate(versions)
        #expect(try store.drift() == [])
        let left = try await store.read(new) { context in
            [
                try context.all("Player")[0].object("game"), try context.all("Game")[0].object("sequel"),
            ].compactMap { $0 }.count + (try context.all("Tag")[0].objects("games").count)
        }
        #expect(left == 1)
    }

    @Test(arguments: StoreKind.present)
    func `Versions exclude each other if the newer one lacks what the older one needs`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        func version(_ name: String, _ attributes: [AttributeDescription]) throws -> ModelVersion {
            ModelVersion(
                name,
                try ObjectModel(entities: [
                    .init("Vehicle", attributes: [.init("name", .string)]),
                    .init("Car", superentity: "Vehicle", attributes: attributes),
                ]), hints: MigrationHints(acceptedLosses: ["Car.wheels"]))
        }
        let wheels = AttributeDescription("wheels", .int64)
        let optional = AttributeDescription("wheels", .int64, isOptional: true)
        for (attribute, isShared) in [(wheels, false), (optional, true)] {
            let versions = [try version("V1", [attribute]), try version("V2", [])]
            let plan = try store.kind.backend.migrationPlan(
                try ModelVersions(versions).transitions(from: versions[0].model))
            #expect(plan.steps.contains { $0.force == .both } == isShared)
        }
    }

    @Test(arguments: StoreKind.present)
    func `Nothing is lost without consent, and only the approved plan runs`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        var versions = try versions()
        try await store.write(versions[0].model) { try $0.make("Game", ["title": .string("a")]) }
        versions[1].hints.acceptedLosses = []
        let plan = try store.plan(versions)
        #expect(plan.losses == ["Game.note"])
        #expect(plan.findings.contains { $0.rule == "drop-attribute" && $0.severity == .error })
        let unnamed = await refusal { try await store.migrate(versions) }
        #expect(unnamed?.code == .migrationRefused)
        var options = MigrationOptions()
        options.acceptedLosses = ["Game.note"]
        options.digest = String(repeating: "0", count: 64)
        let unsealed = await refusal { try await store.migrate(versions, options) }
        #expect(unsealed?.code == .migrationRefused)
        let state = try store.state()
        #expect(state.models.count == 1)
        #expect(state.run == nil)
        options.digest = plan.digest
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.transitions == ["V1-V2"])
        let entries = try store.state().entries.map(\.transition)
        #expect(entries == ["V1-V2"])
    }

    @Test(arguments: StoreKind.present)
    func `Undecided changes are rejected`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let versions = [
            try version("V1", [.init("title", .string)]), try version("V2", [.init("title", .int64)]),
        ]
        try await store.write(versions[0].model) { try $0.make("Game", ["title": .string("a")]) }
        let error = await refusal { try await store.migrate(versions) }
        #expect(error?.code == .migrationRefused)
        #expect(
            error?.message
                == "The migration needs a decision: Attribute Game.title changes from text to a 64-bit integer."
        )
    }

    @Test(arguments: StoreKind.present)
    func `A store is migrated through every version, and never back`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let versions = [
            try version("V1", [.init("a", .int64)]),
            try version("V2", [.init("a", .int64), .init("b", .int64, default: .value(.int(2)))]),
            // Older rows have the default of the intermediate version.
            try version("V3", [.init("a", .int64), .init("b", .int64, default: .value(.int(3)))]),
            try version(
                "V4",
                [
                    .init("a", .int64), .init("b", .int64, default: .value(.int(3))),
                    .init("c", .int64, isOptional: true),
                ]),
        ]
        try await store.write(versions[0].model) { try $0.make("Game", ["a": .int(1)]) }
        try await store.migrate(versions)
        let values = try await store.read(versions[3].model) { try $0.values("Game", "b") }
        #expect(values == [.int(2)])
        var options = MigrationOptions()
        options.version = "V1"
        let error = await refusal { try await store.migrate(versions, options) }
        #expect(error?.code == .modelMismatch)
        let older = await #expect(throws: StoreError.self) {
            try await store.open(versions[0].model, .automatic)
        }
        #expect(older?.code == .modelMismatch)
    }

    @Test func `A file is migrated on opening if nothing is lost`() async throws {
        let store = try MigratedStore(.sqlite)
        let versions = try versions()
        let more = try version(
            "V2",
            [
                .init("title", .string), .init("note", .string, isOptional: true),
                .init("stars", .int64, default: .value(.int(1))),
            ])
        try await store.write(versions[0].model) { try $0.make("Game", ["title": .string("a")]) }
        let refused = await #expect(throws: StoreError.self) {
            try await store.open(versions[1].model, .automatic)
        }
        #expect(refused?.code == .modelMismatch)
        #expect(refused?.message.contains("Game.note would be lost.") == true)
        let none = await #expect(throws: StoreError.self) { try await store.open(more.model) }
        #expect(none?.code == .modelMismatch)
        let opened = try await store.open(more.model, .automatic)
        let stars = try await opened.read("stars") { try $0.values("Game", "stars") }
        #expect(stars == [.int(1)])
        await opened.close()
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `A store on a server is not migrated on opening by default`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let versions = try versions()
        try await store.write(versions[0].model) { try $0.make("Game", ["title": .string("a")]) }
        let refused = await #expect(throws: StoreError.self) {
            try await store.open(versions[1].model, .automatic)
        }
        #expect(refused?.code == .modelMismatch)
        #expect(refused?.remedy?.contains("storectl migrate apply") == true)
        let opened = try await store.open(versions[1].model, .stages(ModelVersions(versions)))
        let stars = try await opened.read("stars") { try $0.values("Game", "stars") }
        #expect(stars == [.int(3)])
        await opened.close()
    }
}

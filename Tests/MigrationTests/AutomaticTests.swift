import ChildProcesses
import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Testing

/// Automatic migrations by programs without migration settings, or that have only their current model.
struct AutomaticTests {
    private static let title = AttributeDescription("title", .string)
    private static let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
    private static let note = AttributeDescription("note", .string, isOptional: true)

    private func model(_ attributes: [AttributeDescription], _ indexes: [IndexDescription] = []) throws
        -> ObjectModel
    {
        try ObjectModel(entities: [.init("Game", attributes: attributes, indexes: indexes)])
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { try $0.make("Game", ["title": .string("a")]) }
        return store
    }

    /// Opens a store without migration settings.
    private func open(_ store: MigratedStore, _ model: ObjectModel) async throws -> Store {
        try await Store.open(store.text, backends: [.sqlite, .postgres], model: model)
    }

    // MARK: Programs without migration settings

    @Test(arguments: StoreKind.present)
    func `Without losses a file is migrated, and a server's store is rejected with the command`(
        _ kind: StoreKind
    ) async throws {
        let (old, new) = (try model([Self.title]), try model([Self.title, Self.stars, Self.note]))
        let store = try await makeStore(kind, old)
        switch kind {
        case .sqlite:
            let opened = try await open(store, new)
            let stars = try await opened.read("stars") { try $0.values("Game", "stars") }
            #expect(stars == [.int(3)])
            await opened.close()
            #expect(try store.state().models.map(\.fingerprint) == [old.fingerprint, new.fingerprint])
        case .postgres:
            let refused = await refusal { try await open(store, new).close() }
            #expect(refused?.code == .modelMismatch)
            #expect(refused?.message.hasSuffix("Its backend doesn't migrate stores automatically.") == true)
            #expect(refused?.remedy?.contains("storectl migrate apply") == true)
            #expect(try store.state().models.map(\.fingerprint) == [old.fingerprint])
            let opened = try await open(store, old)
            await opened.close()
        }
    }

    @Test(arguments: StoreKind.present)
    func `With losses or undecided changes, nothing is done`(_ kind: StoreKind) async throws {
        let old = try model([Self.title, Self.note])
        let store = try await makeStore(kind, old)
        let lossy = await refusal { try await open(store, try model([Self.title])).close() }
        #expect(lossy?.code == .modelMismatch)
        #expect(lossy?.message.contains("Game.note would be lost.") == true)
        let narrower = await refusal {
            try await open(store, try model([.init("title", .int64), Self.note])).close()
        }
        #expect(narrower?.code == .modelMismatch)
        let renamed = await refusal {
            try await open(store, try model([.init("name", .string), Self.note])).close()
        }
        #expect(renamed?.code == .modelMismatch)
        #expect(renamed?.message.contains("The renames can't be inferred from the models.") == true)
        let retyped = await refusal {
            try await open(store, try model([Self.title, .init("remark", .int64, isOptional: true)])).close()
        }
        for error in [renamed, retyped] {
            #expect(error?.remedy?.contains("Declare a rename with “renamedFrom:”") == true)
            #expect(error?.remedy?.contains("--rename OLD:NEW") == true)
        }
        #expect(lossy?.remedy?.contains("rename") == false)
        #expect(try store.state().models.map(\.fingerprint) == [old.fingerprint])
    }

    @Test func `A file opened for reading is rejected because of its model`() async throws {
        let store = try await makeStore(.sqlite, try model([Self.title]))
        let new = try model([Self.title, Self.stars])
        let refused = await refusal {
            try await Store.open(store.text + "?mode=ro", backends: [.sqlite], model: new).close()
        }
        #expect(refused?.code == .modelMismatch)
    }

    @Test func `Conflicting rows leave the file unchanged`() async throws {
        let old = try model([Self.title, Self.note])
        let store = try await makeStore(.sqlite, old)
        let refused = await refusal {
            try await open(store, try model([Self.title, .init("note", .string)])).close()
        }
        #expect(refused?.code == .migrationRefused)
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.models.count == 1)
    }

    // MARK: Older programs

    @Test(arguments: StoreKind.present)
    func `An older program neither finishes nor rolls back a newer one's migration`(
        _ kind: StoreKind
    ) async throws {
        let (old, new) = (
            try model([Self.title, Self.stars]),
            try model([Self.title, .init("stars", .int16, default: .value(.int(3)))])
        )
        let store = try await makeStore(kind, old)
        func versions(_ stops: Bool) -> [ModelVersion] {
            let stage = MigrationStage("Game", filling: ["stars"]) { game in
                if stops { throw CancellationError() }
                game["stars"] = .int(7)
            }
            return [ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])]
        }
        await #expect(throws: CancellationError.self) { try await store.migrate(versions(true)) }
        let begun = try store.state()
        for model in [old, new] {
            let refused = await refusal { try await open(store, model).close() }
            #expect(refused?.code == .migrationUnfinished)
        }
        let lone = await refusal { try await store.migrate([ModelVersion("V1", old)]) }
        #expect(lone?.code == .migrationUnfinished)
        #expect(try store.state() == begun)
        try await store.migrate(versions(false))
        // The types would widen, so nothing would be lost; but a store is never migrated to an older version.
        let older = await refusal { try await open(store, old).close() }
        #expect(older?.code == .modelMismatch)
        let locked = await refusal {
            try await onThread { [kind, url = store.url] in
                _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: old))
            }
        }
        #expect(locked?.code == .modelMismatch)
        #expect(locked?.remedy?.contains("a store can't go back") == true)
        let stars = try await store.read(new) { try $0.values("Game", "stars") }
        #expect(stars == [.int(7)])
    }

    @Test(arguments: StoreKind.present)
    func `A program whose version the store has skipped doesn't roll it back`(_ kind: StoreKind) async throws
    {
        let first = try model([Self.title])
        let second = try model([Self.title, Self.stars])
        let third = try model([Self.title, Self.stars], [.init(["title"])])
        let store = try await makeStore(kind, first)
        try await onThread { [url = store.url] in
            _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: third))
        }
        let refused = await refusal { try await open(store, second).close() }
        #expect(refused?.code == .modelMismatch)
        #expect(refused?.message.contains("was migrated to another model") == true)
        let locked = await refusal {
            try await onThread { [kind, url = store.url] in
                _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: second))
            }
        }
        #expect(locked?.code == .modelMismatch)
        let opened = try await open(store, third)
        await opened.close()
        // A version based on that one is newer.
        let fourth = try model([Self.title, Self.stars, Self.note], [.init(["title"])])
        try await onThread { [kind, url = store.url] in
            _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: fourth))
        }
        #expect(try store.state().models.last?.fingerprint == fourth.fingerprint)
    }

    // MARK: Migrating back and forth

    @Test func `Programs migrate a file back and forth, as long as nothing is lost`() async throws {
        let (older, newer) = (try model([Self.title, Self.note]), try model([Self.title]))
        let store = try await makeStore(.sqlite, newer)
        for model in [older, newer, older, newer, older] {
            // Neither of them can be recognized as the older one.
            try await open(store, model).close()
            #expect(try store.state().models.last?.fingerprint == model.fingerprint)
            #expect(try store.drift() == [])
        }
        try await store.write(older) { context in
            try context.all("Game")[0].set("note", toStored: .string("mine"))
        }
        let before = try store.state()
        let refused = await refusal { try await open(store, newer).close() }
        #expect(refused?.code == .modelMismatch)
        #expect(refused?.message.contains("1 object has data in Game.note") == true)
        #expect(refused?.remedy?.contains("storectl migrate apply") == true)
        #expect(try store.state() == before)
        let notes = try await store.read(older) { try $0.values("Game", "note") }
        #expect(notes == [.string("mine")])
        // A program that accepts the loss of the notes declares it.
        let versions = ModelVersions(
            inferringTo: newer, hints: MigrationHints(acceptedLosses: ["Game.note"]))
        try await store.open(newer, .stages(versions)).close()
        #expect(try store.state().models.last?.fingerprint == newer.fingerprint)
        // That loss was accepted explicitly, so it isn't undone automatically.
        #expect(await refusal { try await open(store, older).close() }?.code == .modelMismatch)
    }

    @Test func `Unneeded additions of another program's migration are removed`() async throws {
        func model(_ attributes: [AttributeDescription], isWider: Bool) throws -> ObjectModel {
            let players = RelationshipDescription("players", to: "Player", inverse: "game", isToMany: true)
            let tags = RelationshipDescription("tags", to: "Game", inverse: "tagged", isToMany: true)
            let tagged = RelationshipDescription("tagged", to: "Game", inverse: "tags", isToMany: true)
            let best = RelationshipDescription("best", to: "Game", inverse: "bestOf")
            let bestOf = RelationshipDescription("bestOf", to: "Game", inverse: "best", isToMany: true)
            let player = EntityDescription(
                "Player", relationships: [.init("game", to: "Game", inverse: "players")])
            return try ObjectModel(
                entities: [
                    .init(
                        "Game", attributes: attributes,
                        relationships: isWider ? [players, tags, tagged, best, bestOf] : [],
                        indexes: isWider ? [] : [.init(["title"])])
                ] + (isWider ? [player] : []))
        }
        let small = try model([Self.title, .init("size", .int16)], isWider: false)
        let large = try model([Self.title, .init("size", .int64), Self.stars], isWider: true)
        let changes: [@Sendable (ObjectContext) throws -> Void] = [
            { try $0.all("Game")[0].set("size", toStored: .int(70_000)) },
            { try $0.all("Game")[0].set("stars", toStored: .int(5)) },
            { _ = try $0.make("Player") },
            { try $0.all("Game")[0].set("best", to: $0.all("Game")[0]) },
            { try $0.all("Game")[0].set("tags", to: $0.all("Game")) },
        ]
        for change in changes {
            let store = try MigratedStore(.sqlite)
            try await store.write(small) { try $0.make("Game", ["title": .string("a"), "size": .int(7)]) }
            for model in [large, small, large] { try await open(store, model).close() }
            try await store.write(large, change)
            let refused = await refusal { try await open(store, small).close() }
            #expect(refused?.code == .modelMismatch)
            let state = try store.state()
            #expect(state.run == nil)
            #expect(state.models.last?.fingerprint == large.fingerprint)
            #expect(try store.drift() == [])
            try await open(store, large).close()
        }
    }

    @Test func `Migrating back and forth changes no value`() async throws {
        let optional = AttributeDescription("size", .double, isOptional: true)
        let cases: [(AttributeDescription, AttributeDescription, StoredValue)] = [
            (.init("size", .float), .init("size", .double), .double(0.1)),
            (.init("size", .double, default: .value(.double(3))), optional, .null),
        ]
        for (one, other, value) in cases {
            let (older, newer) = (try model([one]), try model([other]))
            let store = try MigratedStore(.sqlite)
            try await store.write(older) { try $0.make("Game", ["size": .double(0.5)]) }
            try await open(store, newer).close()
            try await store.write(newer) { try $0.all("Game")[0].set("size", toStored: value) }
            let refused = await refusal { try await open(store, older).close() }
            #expect(refused?.code == .modelMismatch)
            #expect(try await store.read(newer) { try $0.values("Game", "size") } == [value])
        }
        // If a property had a default from the beginning, only an explicit change can have removed its value.
        let (small, large) = (
            try model([Self.title]),
            try model([Self.title, .init("stars", .int64, isOptional: true, default: .value(.int(3)))])
        )
        let store = try await makeStore(.sqlite, small)
        try await open(store, large).close()
        try await store.write(large) { try $0.all("Game")[0].set("stars", toStored: .null) }
        #expect(await refusal { try await open(store, small).close() }?.code == .modelMismatch)
    }

    @Test func `An order that others may have set is not removed`() async throws {
        func model(isOrdered: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init(
                    "Game", attributes: [Self.title],
                    relationships: [
                        .init(
                            "players", to: "Player", inverse: "game", isToMany: true, isOrdered: isOrdered)
                    ]), .init("Player", relationships: [.init("game", to: "Game", inverse: "players")]),
            ])
        }
        let store = try await makeStore(.sqlite, try model(isOrdered: false))
        try await open(store, try model(isOrdered: true)).close()
        let refused = await refusal { try await open(store, try model(isOrdered: false)).close() }
        #expect(refused?.code == .modelMismatch)
        #expect(refused?.message.contains("Game.players would be lost") == true)
    }

    // MARK: Interrupted runs

    @Test(arguments: StoreKind.present)
    func `Values that programs may still save are not lost by a later program's opening`(
        _ kind: StoreKind
    ) async throws {
        let versions = [
            ModelVersion("V1", try model([Self.title, Self.note])),
            ModelVersion(
                "V2", try model([Self.title, Self.stars]),
                hints: MigrationHints(acceptedLosses: ["Game.note"])),
            ModelVersion("V3", try model([Self.title, Self.stars], [.init(["title"])])),
        ]
        let store = try await makeStore(kind, versions[0].model)
        var options = MigrationOptions()
        options.lastPhase = .validate
        try await store.migrate(Array(versions.prefix(2)), options)
        try await store.write(versions[0].model) { context in
            try context.all("Game")[0].set("note", toStored: .string("mine"))
        }
        let refused = await refusal { try await open(store, versions[2].model).close() }
        #expect(refused?.code == .migrationUnfinished)
        if kind == .sqlite {
            #expect(refused?.message.contains("which removes Game.note") == true)
            #expect(refused?.remedy?.contains("storectl migrate complete") == true)
        }
        let notes = try await store.read(versions[0].model) { try $0.values("Game", "note") }
        #expect(notes == [.string("mine")])
        try await store.open(versions[2].model, .stages(ModelVersions(versions))).close()
        #expect(try store.state().entries.map(\.transition) == ["V1-V2", "V2-V3"])
    }
}

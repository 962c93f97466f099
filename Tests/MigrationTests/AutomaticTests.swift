import ChildProcesses
import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Testing

/// What a program does by itself that says nothing of migrations, or that knows no model but its own.
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

    /// Opens a store as a program does that says nothing of migrations.
    private func open(_ store: MigratedStore, _ model: ObjectModel) async throws -> Store {
        try await Store.open(store.text, backends: [.sqlite, .postgres], model: model)
    }

    // MARK: Where nothing is said

    @Test(arguments: StoreKind.present)
    func `Where nothing is lost a file is migrated, and a server's store is refused with the command to run`(
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
            #expect(refused?.message.hasSuffix("This kind of store isn't migrated by opening it.") == true)
            #expect(refused?.remedy?.contains("storectl migrate apply") == true)
            #expect(try store.state().models.map(\.fingerprint) == [old.fingerprint])
            let opened = try await open(store, old)
            await opened.close()
        }
    }

    @Test(arguments: StoreKind.present)
    func `Where something is lost, or has to be decided, nothing is done`(_ kind: StoreKind) async throws {
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
        #expect(renamed?.message.contains("It can't be told what was renamed.") == true)
        #expect(try store.state().models.map(\.fingerprint) == [old.fingerprint])
    }

    @Test func `A file that is opened for reading is refused as one of another model`() async throws {
        let store = try await makeStore(.sqlite, try model([Self.title]))
        let new = try model([Self.title, Self.stars])
        let refused = await refusal {
            try await Store.open(store.text + "?mode=ro", backends: [.sqlite], model: new).close()
        }
        #expect(refused?.code == .modelMismatch)
    }

    @Test func `Rows that stand in the way leave the file as it was`() async throws {
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
    func `An older program neither finishes nor takes back what a newer one has begun`(
        _ kind: StoreKind
    ) async throws {
        let (old, new) = (
            try model([Self.title, Self.stars]),
            try model([Self.title, .init("stars", .int16, default: .value(.int(3)))])
        )
        let store = try await makeStore(kind, old)
        struct Stopped: Error {}
        func versions(_ stops: Bool) -> [ModelVersion] {
            let stage = MigrationStage("Game", filling: ["stars"]) { game in
                if stops { throw Stopped() }
                game["stars"] = .int(7)
            }
            return [ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])]
        }
        await #expect(throws: Stopped.self) { try await store.migrate(versions(true)) }
        let begun = try store.state()
        for model in [old, new] {
            let refused = await refusal { try await open(store, model).close() }
            #expect(refused?.code == .migrationUnfinished)
        }
        let lone = await refusal { try await store.migrate([ModelVersion("V1", old)]) }
        #expect(lone?.code == .migrationUnfinished)
        #expect(try store.state() == begun)
        try await store.migrate(versions(false))
        // The types would widen, so nothing would be lost; but a store never goes back.
        let older = await refusal { try await open(store, old).close() }
        #expect(older?.code == .modelMismatch)
        let locked = await refusal {
            try await onThread { [kind, url = store.url] in
                _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: old))
            }
        }
        #expect(locked?.code == .modelMismatch)
        #expect(locked?.remedy?.contains("a store never goes back") == true)
        let stars = try await store.read(new) { try $0.values("Game", "stars") }
        #expect(stars == [.int(7)])
    }

    @Test(arguments: StoreKind.present)
    func `A program whose version the store has skipped doesn't take it back`(_ kind: StoreKind) async throws
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
        #expect(refused?.message.contains("has been migrated") == true)
        let locked = await refusal {
            try await onThread { [kind, url = store.url] in
                _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: second))
            }
        }
        #expect(locked?.code == .modelMismatch)
        let opened = try await open(store, third)
        await opened.close()
        // One that goes on from there is a newer one.
        let fourth = try model([Self.title, Self.stars, Self.note], [.init(["title"])])
        try await onThread { [kind, url = store.url] in
            _ = try kind.backend.migrate(url, to: ModelVersions(inferringTo: fourth))
        }
        #expect(try store.state().models.last?.fingerprint == fourth.fingerprint)
    }

    @Test func `A newer program that an older one has got in front of is told how to go on`() async throws {
        let (older, newer) = (try model([Self.title, Self.note]), try model([Self.title]))
        let store = try await makeStore(.sqlite, newer)
        // Nothing tells that it is the older one, and nothing is lost.
        let opened = try await open(store, older)
        await opened.close()
        let refused = await refusal { try await open(store, newer).close() }
        #expect(refused?.code == .modelMismatch)
        #expect(refused?.remedy?.contains("storectl migrate apply") == true)
        let versions = try ModelVersions([
            ModelVersion("V1", older),
            ModelVersion("V2", newer, hints: MigrationHints(acceptedLosses: ["Game.note"])),
        ])
        let again = try await Store.open(
            store.text, backends: [.sqlite], model: newer, migration: .stages(versions))
        await again.close()
        #expect(try store.state().models.last?.fingerprint == newer.fingerprint)
    }
}

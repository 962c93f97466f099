import ContextCore
import Foundation
import SQLiteBackend
import Testing

/// Backups of a file that a migration makes.
struct BackupPathTests {
    private static let title = AttributeDescription("title", .string)
    private static let note = AttributeDescription("note", .string, isOptional: true)
    private static let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))

    /// Returns three versions, the second without notes and the third without stars.
    private func versions() throws -> [ModelVersion] {
        func model(_ attributes: [AttributeDescription]) throws -> ObjectModel {
            try ObjectModel(entities: [.init("Game", attributes: [Self.title] + attributes)])
        }
        return [
            ModelVersion("V1", try model([Self.note])),
            ModelVersion(
                "V2", try model([Self.stars]), hints: MigrationHints(acceptedLosses: ["Game.note"])),
            ModelVersion("V3", try model([]), hints: MigrationHints(acceptedLosses: ["Game.stars"])),
        ]
    }

    private func makeStore(_ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(.sqlite)
        try await store.write(model) { try $0.make("Game", ["title": .string("a")]) }
        return store
    }

    private func copies(_ store: MigratedStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.path("")).filter {
            $0.hasPrefix("before")
        }.sorted()
    }

    private func notes(_ name: String, _ store: MigratedStore, _ model: ObjectModel) async throws
        -> [StoredValue]
    {
        let copy = try await Store.open(
            "sqlite:\(store.path(name))", backends: [.sqlite], model: model, migration: .none)
        let notes = try await copy.read("notes") { try $0.values("Game", "note") }
        await copy.close()
        return notes
    }

    @Test func `Later changes of programs are backed up before the last phase of a resumed run`() async throws
    {
        let versions = try versions()
        let store = try await makeStore(versions[0].model)
        var options = MigrationOptions()
        options.backupPath = store.path("before.sqlite")
        options.version = "V2"
        options.lastPhase = .validate
        #expect(try await store.migrate(versions, options).isPending)
        try await store.write(versions[0].model) { context in
            try context.all("Game")[0].set("note", toStored: .string("mine"))
        }
        // The steps up to that phase are done.
        #expect(try await store.migrate(versions, options).isPending)
        #expect(try copies(store) == ["before.sqlite"])
        options.lastPhase = .contract
        try await store.migrate(versions, options)
        #expect(try copies(store) == ["before-2.sqlite", "before.sqlite"])
        #expect(try await notes("before.sqlite", store, versions[0].model) == [.null])
        #expect(try await notes("before-2.sqlite", store, versions[0].model) == [.string("mine")])
    }

    @Test func `An existing file at the path doesn't stop the program, and is not touched`() async throws {
        let versions = try versions()
        let store = try await makeStore(versions[0].model)
        try Data("mine".utf8).write(to: URL(filePath: store.path("before.sqlite")))
        var options = MigrationOptions()
        options.backupPath = store.path("before.sqlite")
        try await store.migrate(Array(versions.prefix(2)), options)
        try await store.migrate(versions, options)
        #expect(try copies(store) == ["before-2.sqlite", "before-3.sqlite", "before.sqlite"])
        let kept = FileManager.default.contents(atPath: store.path("before.sqlite"))
        #expect(kept == Data("mine".utf8))
        #expect(try await notes("before-2.sqlite", store, versions[0].model) == [.null])
    }

    @Test func `A resumed migration makes no second backup`() async throws {
        // A computed value prevents programs of both versions from using the store.
        var hints = MigrationHints(acceptedLosses: ["Game.note"])
        hints.conversions = ["Game.rank": "5"]
        let old = try versions()[0]
        let new = try ObjectModel(entities: [.init("Game", attributes: [Self.title, .init("rank", .int64)])])
        let versions = [old, ModelVersion("V2", new, hints: hints)]
        var (killed, begun) = (0, 0)
        while true {
            let store = try await makeStore(old.model)
            var options = MigrationOptions()
            options.backupPath = store.path("before.sqlite")
            guard try await store.migrateDying(after: killed, versions, options) else { break }
            let run = try store.state().run
            #expect(run?.isShared != true)
            try await store.migrate(versions, options)
            if run != nil {
                begun += 1
                #expect(try copies(store) == ["before.sqlite"], "\(killed)")
            }
            #expect(try await notes("before.sqlite", store, old.model) == [.null])
            killed += 1
        }
        #expect(begun > 0)
    }

    @Test func `A backup stays if a commit that failed may have succeeded`() async throws {
        let versions = Array(try versions().prefix(2))
        var count = 0
        while true {
            let store = try await makeStore(versions[0].model)
            var options = MigrationOptions()
            options.backupPath = store.path("before.sqlite")
            guard try await store.migrateDoubting(after: count, versions, options) else { break }
            #expect(try copies(store) == ["before.sqlite"], "\(count)")
            if count == 1 {
                #expect(try store.state().models.last?.fingerprint == versions[1].model.fingerprint)
            }
            count += 1
        }
        #expect(count == 2)
    }

    @Test func `A blocked migration makes no further backup at each attempt`() async throws {
        let versions = Array(try versions().prefix(2))
        let store = try await makeStore(versions[0].model)
        var options = MigrationOptions()
        options.backupPath = store.path("before.sqlite")
        options.lastPhase = .validate
        #expect(try await store.migrate(versions, options).isPending)
        options.lastPhase = .contract
        options.isCancelled = { true }
        for _ in 0..<2 {
            #expect(await refusal { try await store.migrate(versions, options) }?.code == .cancelled)
            #expect(try copies(store) == ["before.sqlite"])
        }
        options.isCancelled = { false }
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.backups == [store.path("before-2.sqlite")])
        #expect(try copies(store) == ["before-2.sqlite", "before.sqlite"])
    }

    @Test func `Another store's backup with the same name doesn't stop a program`() async throws {
        let versions = try versions()
        let store = try await makeStore(versions[0].model)
        var options = MigrationOptions()
        options.backupPath = store.path("before.sqlite")
        let other = open(store.path("before.sqlite.unfinished"), O_RDWR | O_CREAT, 0o600)
        defer { close(other) }
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        try await store.migrate(Array(versions.prefix(2)), options)
        #expect(try copies(store) == ["before-2.sqlite", "before.sqlite.unfinished"])
    }

    @Test func `A rejected migration leaves no backup`() async throws {
        let old = try versions()[0]
        let store = try await makeStore(old.model)
        let required = try ObjectModel(entities: [
            .init("Game", attributes: [.init("name", .string), .init("note", .string)])
        ])
        let hints = MigrationHints(removed: ["Game.title"], acceptedLosses: ["Game.title"])
        var options = MigrationOptions()
        options.backupPath = store.path("before.sqlite")
        for _ in 0..<2 {
            let refused = await refusal {
                try await store.migrate([old, ModelVersion("V2", required, hints: hints)], options)
            }
            #expect(refused?.code == .migrationRefused)
            #expect(try copies(store) == [])
        }
    }
}

import ContextCore
import Foundation
import SQLStore
import Testing

/// Processes that are killed before each of their statements in turn.
struct KillTests {
    private static func model(
        _ attributes: [AttributeDescription], _ indexes: [IndexDescription] = []
    ) throws -> ObjectModel {
        try ObjectModel(entities: [
            .init(
                "Person", attributes: attributes,
                relationships: [
                    .init("boss", to: "Person", inverse: "staff"),
                    .init("staff", to: "Person", inverse: "boss", isToMany: true),
                ], indexes: indexes)
        ])
    }

    /// A stage, a conversion, a loss and something that the store works out; then what both versions can work beside.
    private func versions() throws -> [ModelVersion] {
        let first = AttributeDescription("first", .string)
        let full = AttributeDescription("full", .string)
        let count = AttributeDescription(
            "count", .int64, storage: .derived(.count(relationship: "staff")))
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let stage = MigrationStage("Person", filling: ["full"], batchSize: 2) { person in
            person["full"] = .string("full \(person.text("first"))")
        }
        return [
            ModelVersion("V1", try Self.model([first, .init("cents", .int64)])),
            ModelVersion(
                "V2",
                try Self.model([full, .init("cents", .decimal(precision: 12, scale: 2)), count]),
                hints: MigrationHints(
                    removed: ["Person.first"], conversions: ["Person.cents": "cents + 1"],
                    acceptedLosses: ["Person.first"]),
                stages: [stage]),
            ModelVersion(
                "V3",
                try Self.model(
                    [full, .init("cents", .decimal(precision: 12, scale: 2)), count, stars],
                    [.init(["stars"])])),
        ]
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { context in
            var boss: ManagedObject?
            for index in 0..<5 {
                let person = try context.make(
                    "Person", ["first": .string("f\(index)"), "cents": .int(Int64(index))])
                try person.set("boss", to: boss)
                boss = boss ?? person
            }
        }
        return store
    }

    @Test(arguments: StoreKind.present)
    func `Wherever it is killed, what was reviewed is finished, and nothing twice`(_ kind: StoreKind)
        async throws
    {
        let versions = try versions()
        var killed = 0
        while true {
            let store = try await makeStore(kind, versions[0].model)
            var options = MigrationOptions()
            options.digest = try store.plan(versions).digest
            guard try await store.migrateDying(after: killed, versions, options) else { break }
            // A program of the older version doesn't meddle, wherever that is.
            if let older = try? await store.open(versions[0].model, .automatic) { await older.close() }
            let between = try store.state()
            try await store.migrate(versions, options)
            try await expectWhole(store, versions, "\(killed): \(between.run?.done ?? -1)")
            killed += 1
        }
        // So many statements at least there are: if there are fewer, this test has lost its subject.
        #expect(killed > 30)
    }

    private func expectWhole(
        _ store: MigratedStore, _ versions: [ModelVersion], _ place: String
    ) async throws {
        let people = try await store.read(versions[2].model) { context in
            try ["full", "cents", "count", "stars"].map { try context.values("Person", $0) }
        }
        #expect(people[0] == (0..<5).map { .string("full f\($0)") }, "\(place)")
        #expect(people[1] == (0..<5).map { .decimal(Decimal($0 + 1)) }, "\(place)")
        #expect(people[2] == [.int(4), .int(0), .int(0), .int(0), .int(0)], "\(place)")
        #expect(people[3] == Array(repeating: .int(3), count: 5), "\(place)")
        let state = try store.state()
        #expect(state.run == nil, "\(place)")
        #expect(state.entries.map(\.transition) == ["V1-V2", "V2-V3"], "\(place)")
        #expect(state.models.map(\.fingerprint) == versions.map(\.model.fingerprint), "\(place)")
        let drift = try store.drift()
        #expect(drift == [], "\(place)")
    }

    @Test(arguments: StoreKind.present)
    func `Wherever it is killed before the last phase, it can be taken back`(_ kind: StoreKind) async throws {
        let versions = Array(try versions().prefix(2))
        var (killed, taken) = (0, 0)
        while true {
            let store = try await makeStore(kind, versions[0].model)
            guard try await store.migrateDying(after: killed, versions) else { break }
            killed += 1
            guard let run = try store.state().run else { continue }
            // From there on it can only be finished.
            if run.steps.prefix(run.done).contains(where: { $0.phase == .contract }) { break }
            try store.kind.backend.abandonMigration(of: store.url)
            let state = try store.state()
            #expect(state.run == nil)
            #expect(state.models.map(\.fingerprint) == [versions[0].model.fingerprint])
            let (drift, first) = (
                try store.drift(),
                try await store.read(versions[0].model) { try $0.values("Person", "first") }
            )
            #expect(drift == [])
            #expect(first == (0..<5).map { .string("f\($0)") })
            taken += 1
        }
        #expect(taken > 5)
    }

    // MARK: What follows

    @Test(arguments: StoreKind.present)
    func `What follows on a killed run is what was reviewed, or nothing`(_ kind: StoreKind) async throws {
        let versions = try versions()
        let store = try await makeStore(kind, versions[0].model)
        var options = MigrationOptions()
        options.digest = try store.plan(versions).digest
        #expect(try await store.migrateDying(after: 16, versions, options))
        #expect(try store.state().run != nil)
        var edited = versions
        let other = try ObjectModel(fileText: versions[2].model.fileText.replacing("stars", with: "moons"))
        edited[2] = ModelVersion("V3", other)
        let refused = await refusal { try await store.migrate(edited, options) }
        #expect(refused?.code == .migrationRefused)
        #expect(refused?.message == "What is left of the plan is not what was reviewed.")
        // What was reviewed of it is done, and nothing else.
        #expect(try store.state().models.last?.fingerprint == versions[1].model.fingerprint)
        let further = ModelVersion(
            "V4", try ObjectModel(fileText: versions[2].model.fileText.replacing("stars", with: "moons")),
            hints: MigrationHints(removed: ["Person.stars"], acceptedLosses: ["Person.stars"]))
        let outcome = try await store.migrate(versions + [further], options)
        #expect(outcome.transitions == ["V2-V3"])
        #expect(try store.state().models.last?.fingerprint == versions[2].model.fingerprint)
        options.digest = nil
        let rest = try await store.migrate(versions + [further], options)
        #expect(rest.transitions == ["V3-V4"])
    }
}

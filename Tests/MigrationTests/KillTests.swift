import ContextCore
import Foundation
import SQLStore
import Testing

/// Processes that are killed before one of their statements.
///
/// By default, they are killed before every fourth statement, starting at a random one of the first four. `STORE_KILL_EVERY` is the
/// interval: with 1, they are killed before every statement.
struct KillTests {
    private static let every =
        ProcessInfo.processInfo.environment["STORE_KILL_EVERY"].flatMap(Int.init) ?? 4
    private static var firstPlace: Int { .random(in: 0..<every) }

    private static func model(
        _ attributes: [AttributeDescription], _ indexes: [IndexDescription] = [], _ unique: [String] = []
    ) throws -> ObjectModel {
        try ObjectModel(entities: [
            .init(
                "Person", attributes: attributes,
                relationships: [
                    .init("boss", to: "Person", inverse: "staff"),
                    .init("staff", to: "Person", inverse: "boss", isToMany: true),
                ], indexes: indexes, uniqueConstraints: unique.map { .init([$0]) })
        ])
    }

    /// Returns versions with a stage, a conversion, a loss and a derived attribute, followed by changes that both versions support.
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
    func `Wherever it is killed, the approved steps are finished once`(_ kind: StoreKind) async throws {
        let versions = try versions()
        var killed = Self.firstPlace
        while true {
            let store = try await makeStore(kind, versions[0].model)
            var options = MigrationOptions()
            options.digest = try store.plan(versions).digest
            guard try await store.migrateDying(after: killed, versions, options) else { break }
            // A program of the older version changes nothing, whichever step the migration has reached.
            if let older = try? await store.open(versions[0].model, .automatic) { await older.close() }
            let between = try store.state()
            try await store.migrate(versions, options)
            try await expectWhole(store, versions, "\(killed): \(between.run?.done ?? -1)")
            killed += Self.every
        }
        // With fewer statements, the test would miss its subject.
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
    func `Wherever it is killed before the last phase, it can be rolled back`(_ kind: StoreKind)
        async throws
    {
        let versions = Array(try versions().prefix(2))
        var (killed, taken) = (Self.firstPlace, 0)
        while true {
            let store = try await makeStore(kind, versions[0].model)
            guard try await store.migrateDying(after: killed, versions) else { break }
            killed += Self.every
            guard let run = try store.state().run else { continue }
            // From here on the migration can only be completed.
            if run.steps.prefix(run.done).contains(where: { $0.phase == .contract }) { break }
            try store.kind.backend.rollBackMigration(of: store.url)
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
        #expect(taken > 1)
    }

    // MARK: Programs of later versions

    /// The program that continues after a process was killed.
    enum Rescuer: CaseIterable, Sendable {
        case program2, program3, tool
    }

    /// Kinds of migrations without stages: one with exclusive access, and one during which programs of both versions work.
    enum Way: CaseIterable, Sendable {
        case alone, shared

        func versions() throws -> [ModelVersion] {
            let first = AttributeDescription("first", .string)
            let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
            let note = AttributeDescription("note", .string, isOptional: true)
            let count = AttributeDescription(
                "count", .int64, storage: .derived(.count(relationship: "staff")))
            let cents = AttributeDescription("cents", .int64)
            let money = AttributeDescription("cents", .decimal(precision: 12, scale: 2))
            switch self {
            case .alone:
                return [
                    ModelVersion("V1", try KillTests.model([first, cents])),
                    ModelVersion(
                        "V2", try KillTests.model([first, money, count, note], [.init(["note"])], ["note"]),
                        hints: MigrationHints(conversions: ["Person.cents": "cents + 1"])),
                    ModelVersion(
                        "V3",
                        try KillTests.model(
                            [first, money, count, note, stars], [.init(["note"]), .init(["stars"])], ["note"])
                    ),
                ]
            case .shared:
                return [
                    ModelVersion("V1", try KillTests.model([first, cents])),
                    ModelVersion("V2", try KillTests.model([first, cents, note], [.init(["note"])])),
                    ModelVersion(
                        "V3", try KillTests.model([first, cents, note, count, stars], [.init(["note"])])),
                ]
            }
        }
    }

    @Test(arguments: StoreKind.present, Way.allCases)
    func `Wherever it is killed, programs of the versions and the tool continue`(
        _ kind: StoreKind, _ way: Way
    ) async throws {
        let versions = try way.versions()
        // A server is slower, so the rescuers alternate.
        let shifts: [[Rescuer]] =
            kind == .sqlite
            ? Rescuer.allCases.map { [$0] } : [Rescuer.allCases]
        for shift in shifts {
            var (killed, rescued) = (Self.firstPlace, 0)
            while true {
                let rescuer = shift[killed / Self.every % shift.count]
                let store = try await makeStore(kind, versions[0].model)
                guard try await store.migrateDying(after: killed, Array(versions.prefix(2))) else { break }
                let state = try store.state()
                if state.run != nil {
                    try await rescue(store, rescuer, versions)
                    rescued += 1
                    let last = rescuer == .program3 ? 2 : 1
                    try await expectWhole(store, Array(versions[...last]), way, "\(rescuer) \(killed)")
                }
                killed += Self.every
            }
            #expect(rescued > 0, "\(shift)")
        }
    }

    private func rescue(
        _ store: MigratedStore, _ rescuer: Rescuer, _ versions: [ModelVersion]
    ) async throws {
        if rescuer == .tool {
            try store.freeze(versions)
            let outcome = store.storectl("migrate", "resume")
            try #require(outcome.isDone, "\(outcome.problems)")
            return
        }
        let model = versions[rescuer == .program2 ? 1 : 2].model
        if store.kind == .sqlite {
            try await store.open(model, .automatic).close()
        } else {
            // On a server, a program migrates only if its options say so.
            try await store.open(model, .stages(ModelVersions(inferringTo: model))).close()
        }
    }

    private func expectWhole(
        _ store: MigratedStore, _ versions: [ModelVersion], _ way: Way, _ place: String
    ) async throws {
        let last = versions[versions.count - 1]
        let people = try await store.read(last.model) { context in
            [try context.values("Person", "first"), try context.values("Person", "cents")]
        }
        #expect(people[0] == (0..<5).map { .string("f\($0)") }, "\(place)")
        let cents: [StoredValue] = (0..<5).map { index in
            way == .alone ? .decimal(Decimal(index + 1)) : .int(Int64(index))
        }
        #expect(people[1] == cents, "\(place)")
        if way == .alone || versions.count == 3 {
            let counts = try await store.read(last.model) { try $0.values("Person", "count") }
            #expect(counts == [.int(4), .int(0), .int(0), .int(0), .int(0)], "\(place)")
        }
        let state = try store.state()
        // A program of an active version works, and leaves the remaining steps to others.
        if versions.count == 3 || store.kind == .sqlite && way == .alone {
            #expect(state.run == nil, "\(place)")
            #expect(try store.drift() == [], "\(place)")
        }
        #expect(state.models.last?.fingerprint == last.model.fingerprint, "\(place)")
    }

    // MARK: Later migrations

    @Test(arguments: StoreKind.present)
    func `An approved plan also applies to callers without one, until it is dropped`(
        _ kind: StoreKind
    ) async throws {
        let versions = try versions()
        let store = try await makeStore(kind, versions[0].model)
        let plan = try store.plan(versions)
        var options = MigrationOptions()
        options.digest = plan.digest
        #expect(try await store.migrateDying(after: 16, versions, options))
        // The run ends between the two migrations.
        options.finishesOnly = true
        try await store.migrate(versions, options)
        let between = try store.state()
        #expect(between.run == nil)
        #expect(between.entries.map(\.transition) == ["V1-V2"])
        #expect(between.reviewed == plan.digest)
        let other = ModelVersion(
            "V3", try ObjectModel(fileText: versions[2].model.fileText.replacing("stars", with: "moons")))
        let edited = Array(versions.prefix(2)) + [other]
        let refused = await refusal { try await store.migrate(edited) }
        #expect(refused?.message == "The remaining steps differ from those of the reviewed plan.")
        #expect(refused?.remedy?.contains("storectl migrate rollback") == true)
        // The remaining steps can be approved and run.
        var again = MigrationOptions()
        again.digest = String(repeating: "0", count: 64)
        #expect(await refusal { try await store.migrate(edited, again) }?.code == .migrationRefused)
        #expect(try store.state().models.last?.fingerprint == versions[1].model.fingerprint)
        try store.kind.backend.rollBackMigration(of: store.url)
        #expect(try store.state().reviewed == nil)
        try await store.migrate(edited)
        #expect(try store.state().models.last?.fingerprint == other.model.fingerprint)
    }

    @Test(arguments: StoreKind.present)
    func `A caller without an approved plan continues past its end`(_ kind: StoreKind) async throws {
        let versions = try versions()
        let store = try await makeStore(kind, versions[0].model)
        var options = MigrationOptions()
        options.digest = try store.plan(Array(versions.prefix(2))).digest
        #expect(try await store.migrateDying(after: 16, Array(versions.prefix(2)), options))
        #expect(try store.state().run != nil)
        let outcome = try await store.migrate(versions)
        #expect(outcome.transitions == ["V1-V2", "V2-V3"])
    }

    @Test(arguments: StoreKind.present)
    func `A killed run is continued with the approved plan, or not at all`(_ kind: StoreKind) async throws {
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
        #expect(refused?.message == "The remaining steps differ from those of the reviewed plan.")
        // The approved steps are done, and no others.
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

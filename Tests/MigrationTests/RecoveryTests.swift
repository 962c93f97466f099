import ContextCore
import Foundation
import Synchronization
import Testing

/// Stores whose migration was refused, or was begun by another program.
struct RecoveryTests {
    private func model(
        _ attributes: [AttributeDescription], unique: [UniqueConstraint] = []
    ) throws -> ObjectModel {
        try ObjectModel(entities: [.init("Person", attributes: attributes, uniqueConstraints: unique)])
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { context in
            for index in 0..<6 {
                try context.make(
                    "Person",
                    [
                        "first": .string("f\(index)"), "age": .int(Int64(index)),
                        "note": index == 0 ? .null : .string("n"),
                    ])
            }
        }
        return store
    }

    private static let first = AttributeDescription("first", .string)
    private static let age = AttributeDescription("age", .int64)
    private static let note = AttributeDescription("note", .string, isOptional: true)

    private func old() throws -> ObjectModel { try model([Self.first, Self.age, Self.note]) }

    /// Expects the store to be as the older program left it.
    private func expectUntouched(_ store: MigratedStore, _ model: ObjectModel) async throws {
        let (state, drift) = (try store.state(), try store.drift())
        #expect(state.run == nil)
        #expect(state.models.map(\.fingerprint) == [model.fingerprint])
        #expect(drift == [])
        let first = try await store.read(model) { try $0.values("Person", "first") }
        #expect(first == (0..<6).map { .string("f\($0)") })
    }

    // MARK: Stages

    @Test(arguments: StoreKind.present)
    func `Models alone don't resume what a stage has begun`(_ kind: StoreKind) async throws {
        let old = try old()
        let new = try model([Self.age, Self.note, .init("full", .string, isOptional: true)])
        let store = try await makeStore(kind, old)
        let hints = MigrationHints(removed: ["Person.first"], acceptedLosses: ["Person.first"])
        func versions(upTo limit: Int64) -> [ModelVersion] {
            let stage = MigrationStage("Person", filling: ["full"], batchSize: 2) { person in
                if case .int(let age)? = person.old["age"], age >= limit { throw CancellationError() }
                person["full"] = .string("full \(person.text("first"))")
            }
            return [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints, stages: [stage])]
        }
        await #expect(throws: CancellationError.self) { try await store.migrate(versions(upTo: 3)) }
        let models = [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)]
        let stageless = await refusal { try await store.migrate(models) }
        #expect(stageless?.code == .migrationUnfinished)
        #expect(stageless?.message == "The migration needs the program's stage that fills full of Person.")
        #expect(try store.state().run?.done == 1)
        // The current description of the migration is ignored: it continues as it was begun.
        var changed = versions(upTo: 100)
        changed[1].hints.renames = ["Person.full": "note"]
        try await store.migrate(changed)
        let values = try await store.read(new) {
            [try $0.values("Person", "full"), try $0.values("Person", "note")]
        }
        #expect(values[0] == (0..<6).map { .string("full f\($0)") })
        #expect(values[1] == [.null] + Array(repeating: .string("n"), count: 5))
    }

    // MARK: Refusals

    @Test(arguments: StoreKind.present)
    func `A rejected migration leaves nothing, and another one may follow`(_ kind: StoreKind) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        let required = try model([Self.first, Self.age, .init("note", .string)])
        let refused = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", required)])
        }
        #expect(refused?.code == .migrationRefused)
        #expect(refused?.message.hasPrefix("1 object of Person has no note") == true)
        #expect(refused?.remedy?.hasSuffix("The migration V1-V2 changed nothing.") == true)
        try await expectUntouched(store, old)
        let mended = try model([Self.first, Self.age, .init("note", .string, default: .value(.string("-")))])
        let outcome = try await store.migrate([ModelVersion("V1", old), ModelVersion("V2b", mended)])
        #expect(outcome.transitions == ["V1-V2b"])
        let notes = try await store.read(mended) { try $0.values("Person", "note") }
        #expect(notes == [.string("-")] + Array(repeating: .string("n"), count: 5))
    }

    @Test(arguments: StoreKind.present)
    func `Conflicts are found before anything is filled`(_ kind: StoreKind) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        let seen = Mutex(0)
        let new = try model([
            Self.first, Self.age, .init("note", .string), .init("full", .string, isOptional: true),
        ])
        let stage = MigrationStage("Person", filling: ["full"]) { _ in seen.withLock { $0 += 1 } }
        let refused = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])])
        }
        #expect(refused?.message.hasPrefix("1 object of Person has no note") == true)
        #expect(seen.withLock { $0 } == 0)
        try await expectUntouched(store, old)
    }

    @Test(arguments: StoreKind.present)
    func `A computed value that isn't unique is rolled back`(_ kind: StoreKind) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        let new = try model(
            [Self.first, Self.age, Self.note, .init("half", .int64, isOptional: true)],
            unique: [.init(["half"])])
        let hints = MigrationHints(conversions: ["Person.half": "age / 2"])
        let refused = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)])
        }
        #expect(refused?.code == .migrationRefused)
        #expect(refused?.message.contains("not unique") == true)
        try await expectUntouched(store, old)
    }

    @Test(arguments: StoreKind.present)
    func `A stage that throws leaves nothing`(_ kind: StoreKind) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        struct Unfit: Error {}
        let new = try model([Self.first, Self.age, Self.note, .init("full", .string, isOptional: true)])
        let stage = MigrationStage("Person", filling: ["full"], batchSize: 2) { person in
            if person.old["age"] == .int(3) { throw Unfit() }
        }
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])]
        await #expect(throws: Unfit.self) { try await store.migrate(versions) }
        try await expectUntouched(store, old)
        await #expect(throws: Unfit.self) {
            try await store.open(new, .stages(ModelVersions(versions))).close()
        }
        try await store.open(old).close()
    }

    @Test(arguments: StoreKind.present)
    func `A unique combination with a new property is checked before anything is filled`(
        _ kind: StoreKind
    ) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        let seen = Mutex(0)
        let series = AttributeDescription("series", .int64, default: .value(.int(1)))
        let stage = MigrationStage("Person", filling: ["full"]) { _ in seen.withLock { $0 += 1 } }
        func versions(_ unique: [String]) throws -> [ModelVersion] {
            let new = try model(
                [Self.first, Self.age, Self.note, series, .init("full", .string, isOptional: true)],
                unique: [.init(unique)])
            return [ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])]
        }
        for names in [["note", "series"], ["series"]] {
            let refused = await refusal { try await store.migrate(versions(names)) }
            #expect(refused?.code == .migrationRefused)
            #expect(
                refused?.message
                    == "1 value of person (\(names.joined(separator: ", "))) is not unique, as the newer model requires."
            )
            #expect(seen.withLock { $0 } == 0)
            try await expectUntouched(store, old)
        }
        try await store.migrate(versions(["first", "series"]))
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `Duplicates caused by a default are found`(_ kind: StoreKind) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        let new = try model(
            [Self.first, Self.age, .init("note", .string, default: .value(.string("n")))],
            unique: [.init(["note"])])
        let refused = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        }
        #expect(refused?.code == .migrationRefused)
        #expect(refused?.message.contains("not unique") == true)
        try await expectUntouched(store, old)
    }

    @Test(arguments: StoreKind.present)
    func `Invalid derived values are found before the models are switched`(_ kind: StoreKind) async throws {
        func model(_ attributes: [AttributeDescription], _ unique: [UniqueConstraint] = []) throws
            -> ObjectModel
        {
            try ObjectModel(entities: [
                .init(
                    "Person",
                    attributes: [.init("first", .string), .init("amount", .int64)] + attributes,
                    relationships: [
                        .init("boss", to: "Person", inverse: "staff"),
                        .init("staff", to: "Person", inverse: "boss", isToMany: true),
                    ], uniqueConstraints: unique)
            ])
        }
        let old = try model([])
        let store = try MigratedStore(kind)
        try await store.write(old) { context in
            let boss = try context.make("Person", ["first": .string("Ann"), "amount": .int(1)])
            for name in ["Bob", "BOB"] {
                let person = try context.make(
                    "Person", ["first": .string(name), "amount": .int(Int64.max - 1)])
                try person.set("boss", to: boss)
            }
        }
        let sum = AttributeDescription(
            "total", .int64,
            storage: .derived(.sum(relationship: "staff", attribute: "amount")))
        let lower = AttributeDescription(
            "lower", .string, isOptional: true, storage: .derived(.lowercased(path: "first")))
        let cases = [try model([sum]), try model([lower], [.init(["lower"])])]
        for new in cases {
            let refused = await refusal {
                try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
            }
            #expect(refused != nil)
            #expect(refused?.remedy?.hasSuffix("The migration V1-V2 changed nothing.") == true)
            let state = try store.state()
            #expect(state.run == nil)
            #expect(state.models.map(\.fingerprint) == [old.fingerprint])
            #expect(try store.drift() == [])
            let names = try await store.read(old) { try $0.values("Person", "first") }
            #expect(names == ["Ann", "Bob", "BOB"].map(StoredValue.string))
        }
        try await store.write(old) { context in
            for person in try context.all("Person") where try person["first"] == .string("BOB") {
                try person.set("amount", toStored: .int(1))
                try person.set("first", toStored: .string("Cid"))
            }
        }
        let new = try model([sum, lower], [.init(["lower"])])
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        let values = try await store.read(new) { context in
            [try context.values("Person", "total"), try context.values("Person", "lower")]
        }
        #expect(values[0][0] == .int(Int64.max))
        #expect(values[1] == ["ann", "bob", "cid"].map(StoredValue.string))
    }

    @Test(arguments: StoreKind.present)
    func `Derived values may be required and unique`(_ kind: StoreKind) async throws {
        func model(_ attributes: [AttributeDescription], _ unique: [UniqueConstraint] = []) throws
            -> ObjectModel
        {
            try ObjectModel(entities: [
                .init(
                    "Person", attributes: [.init("first", .string)] + attributes, uniqueConstraints: unique),
                .init("Writer", superentity: "Person"),
            ])
        }
        let lower = AttributeDescription("lower", .string, storage: .derived(.lowercased(path: "first")))
        let (old, new) = (try model([]), try model([lower], [.init(["lower"])]))
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        let store = try MigratedStore(kind)
        try await store.write(old) { context in
            for name in ["Ann", "Bob", "BOB"] { try context.make("Writer", ["first": .string(name)]) }
        }
        let refused = await refusal { try await store.migrate(versions) }
        #expect(refused?.remedy?.hasSuffix("The migration V1-V2 changed nothing.") == true)
        try await store.write(old) { context in
            try context.all("Person")[2].set("first", toStored: .string("Cid"))
        }
        #expect(try store.state().run == nil)
        #expect(try store.drift() == [])
        try await store.migrate(versions)
        #expect(try store.drift() == [])
        let values = try await store.read(new) { try $0.values("Person", "lower") }
        #expect(values == ["ann", "bob", "cid"].map(StoredValue.string))
        let twin = await refusal {
            try await store.write(new) { try $0.make("Person", ["first": .string("BOB")]) }
        }
        #expect(twin?.code == .duplicate)
    }

    @Test(
        arguments: StoreKind.present,
        [
            (["Person.age": "agee + 1"], "agee"), (["Person.age": "age +"], "age"),
            (["Person.years": "age"], "The newer model has no Person.years, which a conversion fills."),
            (["Persn.age": "age"], "The newer model has no Persn.age, which a conversion fills."),
        ])
    func `An unusable conversion is rejected before anything is done`(
        _ kind: StoreKind, _ conversion: (texts: [String: String], words: String)
    ) async throws {
        let old = try old()
        let store = try await makeStore(kind, old)
        let new = try model([Self.first, .init("age", .string), Self.note])
        var hints = MigrationHints(conversions: ["Person.age": "age"])
        hints.conversions.merge(conversion.texts) { $1 }
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)]
        let refused = await refusal { try await store.migrate(versions) }
        #expect(refused?.code == .migrationRefused)
        #expect(refused?.message.contains(conversion.words) == true, "\(refused?.message ?? "")")
        try await expectUntouched(store, old)
    }

    @Test(arguments: StoreKind.present)
    func `Only an entity without objects can become abstract`(_ kind: StoreKind) async throws {
        func model(isAbstract: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init("Vehicle", isAbstract: isAbstract, attributes: [.init("name", .string)]),
                .init("Car", superentity: "Vehicle"),
            ])
        }
        let (old, new) = (try model(isAbstract: false), try model(isAbstract: true))
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        let store = try MigratedStore(kind)
        try await store.write(old) { context in
            try context.make("Vehicle", ["name": .string("v")])
            try context.make("Car", ["name": .string("c")])
        }
        let refused = await refusal { try await store.migrate(versions) }
        #expect(
            refused?.message == "1 object is of Vehicle itself, which becomes abstract.")
        try await store.write(old) { context in
            for vehicle in try context.all("Vehicle") where vehicle.entityLayout.name == "Vehicle" {
                context.delete(vehicle)
            }
        }
        try await store.migrate(versions)
        let names = try await store.read(new) { try $0.values("Vehicle", "name") }
        #expect(names == [.string("c")])
    }
}

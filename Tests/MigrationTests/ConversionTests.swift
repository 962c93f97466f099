import ContextCore
import Foundation
import Testing

/// Computed values: by expressions, by stages in Swift, and by automatic conversions.
struct ConversionTests {
    private static let staff = [
        RelationshipDescription("boss", to: "Person", inverse: "staff"),
        RelationshipDescription("staff", to: "Person", inverse: "boss", isToMany: true),
    ]

    private func model(_ attributes: AttributeDescription...) throws -> ObjectModel {
        try ObjectModel(entities: [.init("Person", attributes: attributes, relationships: Self.staff)])
    }

    private func old() throws -> ObjectModel {
        try model(
            .init("first", .string), .init("last", .string), .init("cents", .int64), .init("age", .int16))
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { context in
            var boss: ManagedObject?
            for index in 0..<25 {
                let number = StoredValue.int(Int64(index))
                let person = try context.make(
                    "Person",
                    [
                        "first": .string("f\(index)"), "last": .string("l\(index)"), "cents": number,
                        "age": number,
                    ])
                try person.set("boss", to: boss)
                boss = boss ?? person
            }
        }
        return store
    }

    @Test(arguments: StoreKind.present)
    func `Values are converted by expressions and by stages, batch by batch`(_ kind: StoreKind) async throws {
        let old = try old()
        let new = try model(
            .init("full", .string), .init("cents", .decimal(precision: 12, scale: 2)), .init("age", .string),
            .init("chief", .string, isOptional: true),
            .init("staffCount", .int64, storage: .derived(.count(relationship: "staff"))))
        let store = try await makeStore(kind, old)
        let stage = MigrationStage("Person", filling: ["full"], batchSize: 4) { person in
            person["full"] = .string("\(person.text("first")) \(person.text("last"))")
        }
        let hints = MigrationHints(
            removed: ["Person.first", "Person.last"],
            conversions: [
                "Person.cents": "cents * 2", "Person.age": "age + 1", "Person.chief": "boss.first",
            ],
            acceptedLosses: ["Person.first", "Person.last"])
        try await store.migrate([
            ModelVersion("V1", old), ModelVersion("V2", new, hints: hints, stages: [stage]),
        ])
        let values = try await store.read(new) { context in
            try ["full", "cents", "age", "chief", "staffCount"].map { try context.values("Person", $0) }
        }
        #expect(values[0] == (0..<25).map { .string("f\($0) l\($0)") })
        #expect(values[1] == (0..<25).map { .decimal(Decimal($0 * 2)) })
        #expect(values[2] == (0..<25).map { .string("\($0 + 1)") })
        #expect(values[3] == [.null] + Array(repeating: .string("f0"), count: 24))
        #expect(values[4] == [.int(24)] + Array(repeating: .int(0), count: 24))
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test(arguments: StoreKind.present)
    func `A stopped stage resumes after the last batch, and the store is locked meanwhile`(
        _ kind: StoreKind
    ) async throws {
        let (old, new) = (
            try old(),
            try model(
                .init("first", .string), .init("last", .string), .init("cents", .int64), .init("age", .int16),
                .init("full", .string))
        )
        let store = try await makeStore(kind, old)
        func versions(_ limit: Int64) -> [ModelVersion] {
            let stage = MigrationStage("Person", filling: ["full"], batchSize: 4) { person in
                if case .int(let number)? = person.old["cents"], number >= limit { throw CancellationError() }
                person["full"] = .string("\(limit) \(person.text("first"))")
            }
            return [ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])]
        }
        await #expect(throws: CancellationError.self) { try await store.migrate(versions(10)) }
        for model in [old, new] {
            let error = await #expect(throws: StoreError.self) { try await store.open(model) }
            #expect(error?.code == .migrationUnfinished)
        }
        let stageless = await refusal { try await store.migrate([ModelVersion("program", new)]) }
        #expect(stageless?.code == .migrationUnfinished)
        try await store.migrate(versions(100))
        let full = try await store.read(new) { try $0.values("Person", "full") }
        // Two batches were completed the first time, and aren't repeated.
        #expect(full == (0..<25).map { .string("\($0 < 8 ? 10 : 100) f\($0)") })
    }

    @Test(arguments: StoreKind.present)
    func `A value that its attribute can't store stops the migration`(_ kind: StoreKind) async throws {
        let old = try old()
        let new = try model(
            .init("first", .int64), .init("last", .string), .init("cents", .int64), .init("age", .int16))
        let store = try await makeStore(kind, old)
        let hints = MigrationHints(conversions: ["Person.first": "first"])
        let error = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)])
        }
        #expect(error?.code == .migrationRefused)
        #expect(
            error?.message
                == "The conversion “first” can't be used for Person.first. Its result is too large for "
                + "Person.first, or has another type, in 25 of 25 objects, the first of them Person/1.")
        // No program has used the store since, so the migration was taken back at once.
        #expect(try store.state().run == nil)
        let better = MigrationHints(conversions: ["Person.first": "cents"])
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new, hints: better)]
        let before = try await store.read(old) { try $0.values("Person", "first") }
        #expect(before == (0..<25).map { .string("f\($0)") })
        let drift = try store.drift()
        #expect(drift == [])
        try await store.migrate(versions)
        let first = try await store.read(new) { try $0.values("Person", "first") }
        #expect(first == (0..<25).map { .int($0) })
    }
}

import ChildProcesses
import ContextCore
import SQLStore
import Testing

/// The time of the check of a migration, and the tables that it reads.
struct VerificationPlaceTests {
    /// An addition to the newer model that needs steps after the change of the tables: an index that PostgreSQL creates concurrently, or a
    /// derived attribute.
    enum Addition: String, CaseIterable, Sendable {
        case nothing, index, derived
    }

    private func model(_ addition: Addition?) throws -> ObjectModel {
        var category = EntityDescription(
            "Category", attributes: [.init("name", .string)],
            relationships: [.init("best", to: "Product", isOptional: true)])
        if let addition {
            category.attributes.append(.init("note", .string))
            if addition == .index { category.indexes = [.init(["note"])] }
            if addition == .derived {
                category.attributes.append(
                    .init("lower", .string, storage: .derived(.lowercased(path: "name"))))
            }
        }
        return try ObjectModel(entities: [
            EntityDescription("Item", attributes: [.init("title", .string)]),
            EntityDescription("Product", superentity: "Item"), category,
        ])
    }

    private func versions(_ addition: Addition) throws -> [ModelVersion] {
        let stage = MigrationStage("Category", filling: ["note"]) {
            $0["note"] = .string("about \($0.text("name"))")
        }
        return [
            ModelVersion("V1", try model(nil)), ModelVersion("V2", try model(addition), stages: [stage]),
        ]
    }

    /// Creates a store with a category and its best product, and an item that is no product; damage makes the item the best product.
    private func makeStore(_ kind: StoreKind) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model(nil)) { context in
            let category = try context.make("Category", ["name": .string("Tea")])
            try category.set("best", to: context.make("Product", ["title": .string("p")]))
            try context.make("Item", ["title": .string("i")])
        }
        return store
    }

    private let damage = "UPDATE category SET best_id = (SELECT _id FROM item WHERE title = 'i')"

    @Test(arguments: StoreKind.present, Addition.allCases)
    func `A failed check leaves the store unchanged, whatever steps would follow`(
        _ kind: StoreKind, _ addition: Addition
    ) async throws {
        let store = try await makeStore(kind)
        let versions = try versions(addition)
        let error = await refusal { try await store.migrate(versions, damaging: damage) }
        #expect(error?.code == .migrationRefused)
        let message = error?.message ?? ""
        #expect(message.contains("Category.best refers to objects that it can't refer to (1)"), "\(message)")
        #expect(
            error?.remedy?.contains("The migration V1-V2 changed nothing.") == true, "\(error?.remedy ?? "")")
        let state = try store.state()
        #expect(state.run == nil && state.entries.isEmpty)
        #expect(state.models.last?.fingerprint == versions[0].model.fingerprint)
        let drift = try store.drift()
        #expect(drift == [])
        let names = try await store.read(versions[0].model) { try $0.values("Category", "name") }
        #expect(names == [.string("Tea")])
        try store.sql("UPDATE category SET best_id = NULL")
        try await store.migrate(versions)
        let notes = try await store.read(versions[1].model) { try $0.values("Category", "note") }
        #expect(notes == [.string("about Tea")])
    }

    @Test(arguments: StoreKind.present)
    func `Values computed after the check are compared in the last step`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind)
        try await store.migrate(versions(.derived))
        let lower = try await store.read(model(.derived)) { try $0.values("Category", "lower") }
        #expect(lower == [.string("tea")])
    }

    /// One large table only gets a column, and the rows of another one are converted.
    @Test(arguments: StoreKind.present)
    func `The check doesn't read unaffected tables`(_ kind: StoreKind) async throws {
        func model(isNew: Bool) throws -> ObjectModel {
            var large = EntityDescription(
                "Large", attributes: [.init("name", .string)],
                relationships: [.init("peer", to: "Large", isOptional: true)],
                uniqueConstraints: [.init(["name"])])
            if isNew { large.attributes.append(.init("flag", .bool, isOptional: true)) }
            return try ObjectModel(entities: [
                large, EntityDescription("Small", attributes: [.init("size", isNew ? .string : .int64)]),
                EntityDescription("Tiny", superentity: "Small", attributes: [.init("mark", .string)]),
            ])
        }
        let store = try MigratedStore(kind)
        let old = try model(isNew: false)
        try await store.write(old) { context in
            try context.make("Large", ["name": .string("l")])
            try context.make("Tiny", ["size": .int(1), "mark": .string("m")])
        }
        let versions = [
            ModelVersion("V1", old),
            ModelVersion(
                "V2", try model(isNew: true), hints: MigrationHints(conversions: ["Small.size": "size"])),
        ]
        let counts = try await store.migrate(versions, damaging: nil).filter { $0.contains("count(*)") }
        #expect(counts.contains { $0.contains("\"small\"") }, "\(counts)")
        #expect(!counts.contains { $0.contains("\"large\"") }, "\(counts)")
        #expect(try store.state().models.last?.fingerprint == versions[1].model.fingerprint)
    }

    /// The column of a subentity's attribute is nullable in the database, so only the check finds the missing value.
    @Test(arguments: StoreKind.present, [false, true])
    func `A required value that a stage omits stops the migration while it can be rolled back`(
        _ kind: StoreKind, _ isIndexed: Bool
    ) async throws {
        func model(isNew: Bool) throws -> ObjectModel {
            var product = EntityDescription("Product", superentity: "Item")
            if isNew {
                product.attributes = [.init("mark", .string)]
                if isIndexed { product.indexes = [.init(["mark"])] }
            }
            return try ObjectModel(entities: [
                EntityDescription("Item", attributes: [.init("title", .string)]), product,
            ])
        }
        let store = try MigratedStore(kind)
        let old = try model(isNew: false)
        try await store.write(old) { context in
            for title in ["a", "b"] { try context.make("Product", ["title": .string(title)]) }
        }
        let stage = MigrationStage("Product", filling: ["mark"]) {
            $0["mark"] = $0.text("title") == "a" ? .string("A") : .null
        }
        let versions = [ModelVersion("V1", old), ModelVersion("V2", try model(isNew: true), stages: [stage])]
        let error = await refusal { try await store.migrate(versions) }
        #expect(error?.code == .migrationRefused)
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.models.last?.fingerprint == old.fingerprint)
        let titles = try await store.read(old) { try $0.values("Product", "title") }
        #expect(titles == [.string("a"), .string("b")])
    }
}

/// A connection that damages the store once, after a stage's first row was written, and records the queries.
private final class DamagingConnection: RelayedConnection {
    private var damage: String?
    private(set) var questions: [String] = []

    init(_ connection: any MigrationConnection, _ damage: String?) {
        self.damage = damage
        super.init(connection)
    }

    override func willRun(_ sql: String) throws(StoreError) {
        guard let damage, sql.hasPrefix("UPDATE"), sql.contains("_new_note") else { return }
        self.damage = nil
        try execute(damage)
    }

    override func hasAnswered(_ sql: String, _ count: Int) { questions.append(sql) }
}

extension MigratedStore {
    /// Migrates while a statement damages the store, and returns the queries of the migration.
    @discardableResult
    fileprivate func migrate(_ versions: [ModelVersion], damaging damage: String?) async throws -> [String] {
        let options = MigrationOptions()
        return try await onThread { [kind, url] in
            let connection = try Self.connect(kind, url, options) { DamagingConnection($0, damage) }
            let migrator = SQLMigrator(connection)
            defer { migrator.close() }
            _ = try migrator.migrate(to: ModelVersions(versions), options)
            return connection.questions
        }
    }
}

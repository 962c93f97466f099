import ChildProcesses
import ContextCore
import SQLStore
import Testing

/// The check in the last step of every migration.
struct VerificationTests {
    /// Returns a model of products and items in one tree; books are a subentity of one of them.
    private func model(booksAre superentity: String) throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription("Item", attributes: [.init("title", .string)]),
            EntityDescription(
                "Product", superentity: "Item",
                relationships: [.init("categories", to: "Category", inverse: "products", isToMany: true)]),
            EntityDescription("Book", superentity: superentity),
            EntityDescription(
                "Category",
                relationships: [
                    .init("products", to: "Product", inverse: "categories", isToMany: true),
                    .init("best", to: "Product", isOptional: true),
                ]),
        ])
    }

    /// The kinds of statements that are skipped, so that the migration makes a specific mistake.
    private enum Omission: String, CaseIterable {
        case links = "DELETE FROM"
        case references = "UPDATE"

        func omits(_ sql: String) -> Bool {
            sql.hasPrefix(rawValue) && (self == .links || sql.contains("best"))
                && sql.contains("categor")
        }
    }

    private func makeStore(_ kind: StoreKind) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model(booksAre: "Product")) { context in
            let book = try context.make("Book", ["title": .string("b")])
            let category = try context.make("Category")
            try category.set("products", to: [book])
            try category.set("best", to: book)
        }
        return store
    }

    private func versions() throws -> [ModelVersion] {
        [
            ModelVersion("V1", try model(booksAre: "Product")),
            ModelVersion(
                "V2", try model(booksAre: "Item"),
                hints: MigrationHints(acceptedLosses: ["Book.categories", "Category.best"])),
        ]
    }

    @Test(arguments: StoreKind.present, Omission.allCases)
    private func `A migration that leaves wrong references fails with a message`(
        _ kind: StoreKind, _ omission: Omission
    ) async throws {
        let store = try await makeStore(kind)
        let versions = try versions()
        let error = await refusal {
            try await store.migrate(versions, omitting: { omission.omits($0) })
        }
        #expect(error?.code == .migrationRefused)
        #expect(error?.message.contains("refers to objects that it can't refer to (1)") == true)
        #expect(try store.state().models.last?.fingerprint != versions[1].model.fingerprint)
    }

    /// Books leave the tree of items, so their rows are copied into a new table.
    @Test(arguments: StoreKind.present)
    private func `A migration that loses objects fails with their number`(_ kind: StoreKind) async throws {
        func model(isBelow: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                EntityDescription("Item", attributes: [.init("title", .string, isOptional: true)]),
                EntityDescription(
                    "Book", superentity: isBelow ? "Item" : nil,
                    attributes: [.init("pages", .int64, isOptional: true)]),
            ])
        }
        let store = try MigratedStore(kind)
        try await store.write(model(isBelow: true)) { context in
            for number in Int64(0)..<3 { try context.make("Book", ["pages": .int(number)]) }
        }
        let versions = [
            ModelVersion("V1", try model(isBelow: true)),
            ModelVersion(
                "V2", try model(isBelow: false), hints: MigrationHints(acceptedLosses: ["Book.title"])),
        ]
        let error = await refusal {
            try await store.migrate(
                versions,
                omitting: {
                    $0.hasPrefix("INSERT INTO") && $0.contains("FROM \"item\"") && $0.contains("book")
                })
        }
        #expect(error?.code == .migrationRefused)
        #expect(error?.message.contains("Book had 3 objects and has 0") == true)
        #expect(try store.state().models.last?.fingerprint == versions[0].model.fingerprint)
        try await store.migrate(versions)
        #expect(try await store.read(versions[1].model) { try $0.values("Book", "pages") }.count == 3)
    }

    /// An update makes the values equal where the migration would create the unique index, which is omitted.
    @Test(arguments: StoreKind.present)
    private func `A migration that leaves duplicates of unique values fails with a message`(
        _ kind: StoreKind
    ) async throws {
        func model(isNew: Bool) throws -> ObjectModel {
            var person = EntityDescription("Person", attributes: [.init("age", .int64)])
            if isNew {
                person.attributes.append(.init("mark", .int64, isOptional: true))
                person.uniqueConstraints = [.init(["mark"])]
            }
            return try ObjectModel(entities: [person])
        }
        let store = try MigratedStore(kind)
        let old = try model(isNew: false)
        try await store.write(old) { context in
            for age in Int64(1)...3 { try context.make("Person", ["age": .int(age)]) }
        }
        let versions = [
            ModelVersion("V1", old),
            ModelVersion(
                "V2", try model(isNew: true), hints: MigrationHints(conversions: ["Person.mark": "age"])),
        ]
        let error = await refusal {
            try await store.migrate(
                versions, omitting: { $0.hasPrefix("CREATE UNIQUE INDEX") },
                running: "UPDATE person SET mark = 1")
        }
        #expect(error?.code == .migrationRefused)
        let message = error?.message ?? ""
        #expect(
            message.contains("Person (mark) has values that must be unique and aren't (1)"), "\(message)")
        #expect(try store.state().models.last?.fingerprint == old.fingerprint)
        try await store.migrate(versions)
        let marks = try await store.read(versions[1].model) { try $0.values("Person", "mark") }
        #expect(marks == [.int(1), .int(2), .int(3)])
    }

    /// One dangling reference is removed with its row, and another one is added.
    @Test(arguments: StoreKind.present)
    private func `New damage is found even if other damage disappears`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind)
        let versions = try versions()
        // A link to an item that is no product is invalid before. SQLite's migration deletes it with the links to books.
        try await store.write(versions[0].model) { context in
            let category = try context.all("Category")[0]
            try category.set("products", to: [] as [ManagedObject])
            try context.make("Item", ["title": .string("i")])
        }
        let item = try #require(try store.sql("SELECT max(_id) FROM item").first?.first)
        guard case .int(let key) = item else {
            Issue.record("The item has no key.")
            return
        }
        let links = try store.sql(
            kind == .sqlite
                ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'category%prod%'"
                : "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_name LIKE 'category%prod%'"
        )
        guard case .string(let table)? = links.first?.first else {
            Issue.record("There is no table of links.")
            return
        }
        try store.sql("INSERT INTO \(table) (category_id, product_id) VALUES (1, \(key))")
        let error = await refusal {
            try await store.migrate(
                versions, omitting: { Omission.references.omits($0) })
        }
        #expect(error?.message.contains("Category.best refers to objects that it can't refer to (1)") == true)
    }

    @Test(arguments: StoreKind.present)
    private func `An undisturbed migration passes its check`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind)
        let versions = try versions()
        try await store.migrate(versions)
        #expect(try store.state().models.last?.fingerprint == versions[1].model.fingerprint)
    }
}

/// A connection that skips some of the statements, and may run another one instead of each.
private final class OmittingConnection: RelayedConnection {
    private let omits: (String) -> Bool
    private let replacement: String?

    init(
        _ connection: any MigrationConnection, _ omits: @escaping (String) -> Bool, _ replacement: String?
    ) {
        self.omits = omits
        self.replacement = replacement
        super.init(connection)
    }

    override func willRun(_ sql: String) throws(StoreError) {
        if let replacement, omits(sql) { try execute(replacement) }
    }

    override func isOmitted(_ sql: String) -> Bool { omits(sql) }
}

extension MigratedStore {
    /// Migrates without running some of the statements.
    ///
    /// - Parameter replacement: A statement that runs instead of each of them.
    fileprivate func migrate(
        _ versions: [ModelVersion], omitting omits: @escaping @Sendable (String) -> Bool,
        running replacement: String? = nil
    ) async throws {
        let options = MigrationOptions()
        try await onThread { [kind, url] in
            let migrator = SQLMigrator(
                try Self.connect(kind, url, options) { OmittingConnection($0, omits, replacement) })
            defer { migrator.close() }
            _ = try migrator.migrate(to: ModelVersions(versions), options)
        }
    }
}

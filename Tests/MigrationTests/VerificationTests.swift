import ChildProcesses
import ContextCore
import SQLStore
import Testing

/// The check that is the last step of every migration.
struct VerificationTests {
    /// Products and items in one tree; books move from the products to the items.
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

    /// The kinds of statements that the migration is kept from running, so that it makes what it must not make.
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
    private func `A migration that leaves wrong references behind isn't complete, and says so`(
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

    @Test(arguments: StoreKind.present)
    private func `A migration that is left to itself passes its check`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind)
        let versions = try versions()
        try await store.migrate(versions)
        #expect(try store.state().models.last?.fingerprint == versions[1].model.fingerprint)
    }
}

/// A connection that doesn't run some of the statements.
private final class OmittingConnection: RelayedConnection {
    private let omits: (String) -> Bool

    init(_ connection: any MigrationConnection, _ omits: @escaping (String) -> Bool) {
        self.omits = omits
        super.init(connection)
    }

    override func isOmitted(_ sql: String) -> Bool { omits(sql) }
}

extension MigratedStore {
    /// Migrates without running some of the statements.
    fileprivate func migrate(
        _ versions: [ModelVersion], omitting omits: @escaping @Sendable (String) -> Bool
    ) async throws {
        let options = MigrationOptions()
        try await onThread { [kind, url] in
            let migrator = SQLMigrator(try Self.connect(kind, url, options) { OmittingConnection($0, omits) })
            defer { migrator.close() }
            _ = try migrator.migrate(to: ModelVersions(versions), options)
        }
    }
}

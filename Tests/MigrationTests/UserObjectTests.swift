import ContextCore
import Foundation
import Testing

/// User-defined objects on a store's tables that a server would drop silently.
struct UserObjectTests {
    private static func model(_ type: AttributeType, isThere: Bool = true) throws -> ObjectModel {
        let price = AttributeDescription("price", type)
        return try ObjectModel(entities: [
            .init(
                "Game", attributes: [.init("title", .string)] + (isThere ? [price] : []),
                indexes: isThere ? [.init(["price"])] : [])
        ])
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { try $0.make("Game", ["title": .string("a"), "price": .int(5)]) }
        for statement in [
            "CREATE INDEX mine ON game (title, price DESC)",
            "CREATE INDEX reckoned ON game ((price * 2)) WHERE price > 3",
            "CREATE INDEX untouched ON game (title DESC)",
            "ALTER TABLE game ADD CONSTRAINT cheap CHECK (price < 100)",
        ] { try store.sql(statement) }
        return store
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `Indexes and constraints on a column with another type are recreated`(_ kind: StoreKind) async throws
    {
        let (old, new) = (try Self.model(.int32), try Self.model(.int64))
        let store = try await makeStore(kind, old)
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        #expect(try store.plan(versions).findings.allSatisfy { $0.rule != "foreign-object" })
        let before = try definitions(store)
        try await store.migrate(versions)
        #expect(try definitions(store) == before)
        #expect(before.count == 4)
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `Those on a removed column are reported before`(_ kind: StoreKind) async throws {
        let (old, new) = (try Self.model(.int32), try Self.model(.int32, isThere: false))
        let store = try await makeStore(kind, old)
        let versions = [
            ModelVersion("V1", old),
            ModelVersion("V2", new, hints: MigrationHints(acceptedLosses: ["Game.price"])),
        ]
        let findings = try store.plan(versions).findings.filter { $0.rule == "foreign-object" }
        #expect(
            findings.map(\.subject) == [
                "constraint cheap of game", "index mine of game", "index reckoned of game",
            ])
        try await store.migrate(versions)
        #expect(try definitions(store).count == 1)
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `A user-defined index is not dropped instead of the store's`(_ kind: StoreKind) async throws {
        let (old, new) = (try Self.model(.int32, isThere: false), try Self.model(.int32))
        let store = try MigratedStore(kind)
        try await store.write(old) { try $0.make("Game", ["title": .string("a")]) }
        try store.sql("CREATE INDEX game_price ON game (title)")
        var hints = MigrationHints()
        hints.conversions = ["Game.price": "0"]
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)]
        let error = await refusal { try await store.migrate(versions) }
        #expect(error?.code == .migrationRefused)
        #expect(
            error?.message
                == "The migration creates an index with the name of the user-defined index game_price of game."
        )
    }

    @Test(arguments: StoreKind.present, ["TABLE player (mine integer)", "VIEW player AS SELECT 1 AS mine"])
    func `A name conflict with a new table is found before anything is done`(
        _ kind: StoreKind, _ other: String
    ) async throws {
        let title = AttributeDescription("title", .string)
        let old = try ObjectModel(entities: [.init("Game", attributes: [title])])
        let new = try ObjectModel(entities: [
            .init("Game", attributes: [title]), .init("Player", attributes: [title]),
        ])
        let store = try MigratedStore(kind)
        try await store.write(old) { try $0.make("Game", ["title": .string("a")]) }
        try store.sql("CREATE \(other)")
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        let error = await refusal { _ = try store.plan(versions) }
        #expect(error?.code == .migrationRefused)
        #expect(
            error?.message
                == "The migration creates the table player, but a user-defined object has that name.")
        try store.sql("DROP \(other.prefix { $0 != " " }) player")
        try await store.migrate(versions)
        #expect(try store.drift() == [])
    }

    /// Returns the definitions of the indexes and constraints that the test has created, as the server prints them.
    private func definitions(_ store: MigratedStore) throws -> [[StoredValue]] {
        try store.sql(
            """
            SELECT c.relname::text, pg_get_indexdef(c.oid) FROM pg_class AS c JOIN pg_index AS x ON x.indexrelid = c.oid \
            WHERE x.indrelid = 'game'::regclass AND c.relname IN ('mine', 'reckoned', 'untouched') UNION ALL \
            SELECT conname::text, pg_get_constraintdef(oid) FROM pg_constraint \
            WHERE conrelid = 'game'::regclass AND conname = 'cheap' ORDER BY 1
            """)
    }
}

import ContextCore
import Foundation
import Testing

/// User-defined foreign keys on a store's tables on a server.
struct OtherReferenceTests {
    private static let kinds = StoreKind.present.filter { $0 == .postgres }

    private static func version(
        _ name: String, isRelated: Bool, _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        var player = EntityDescription(
            "Player", attributes: [.init("name", .string), .init("number", .int64)])
        var team = EntityDescription("Team", attributes: [.init("name", .string)])
        if isRelated {
            player.relationships = [.init("team", to: "Team", inverse: "players", isOptional: true)]
            team.relationships = [.init("players", to: "Player", inverse: "team", isToMany: true)]
        }
        return ModelVersion(name, try ObjectModel(entities: [player, team]), hints: hints)
    }

    private static func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { context in
            try context.make("Team", ["name": .string("t")])
            try context.make("Player", ["name": .string("p"), "number": .int(77)])
        }
        return store
    }

    /// Returns whether the user-defined foreign key has been validated; no row if it doesn't exist.
    private static func validity(_ store: MigratedStore) throws -> [[StoredValue]] {
        try store.sql(
            """
            SELECT convalidated::text FROM pg_constraint \
            WHERE conname = 'strange' AND connamespace = current_schema()::regnamespace
            """)
    }

    @Test(arguments: kinds)
    func `A user-defined foreign key that old rows violate stays unvalidated`(_ kind: StoreKind)
        async throws
    {
        let versions = [
            try Self.version("V1", isRelated: false), try Self.version("V2", isRelated: true),
        ]
        let store = try await Self.makeStore(kind, versions[0].model)
        try store.sql(
            "ALTER TABLE player ADD CONSTRAINT strange FOREIGN KEY (number) REFERENCES team (_id) NOT VALID")
        try await store.migrate(versions)
        #expect(try store.state().run == nil)
        #expect(try Self.validity(store) == [[.string("false")]])
    }

    @Test(arguments: kinds)
    func `A user-defined foreign key stays when the store's own is replaced`(_ kind: StoreKind) async throws {
        let versions = [
            try Self.version("V1", isRelated: false), try Self.version("V2", isRelated: true),
        ]
        let store = try await Self.makeStore(kind, versions[0].model)
        var options = MigrationOptions()
        options.lastPhase = .validate
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.isPending)
        try store.sql("ALTER TABLE player ADD CONSTRAINT strange FOREIGN KEY (team_id) REFERENCES team (_id)")
        try await store.migrate(versions)
        #expect(try Self.validity(store) == [[.string("true")]])
        try store.sql("ALTER TABLE player DROP CONSTRAINT strange")
        #expect(try store.drift() == [])
    }

    @Test(arguments: kinds)
    func `A user-defined foreign key on a removed column is reported before`(_ kind: StoreKind) async throws {
        let versions = [
            try Self.version("V1", isRelated: true),
            try Self.version(
                "V2", isRelated: false, MigrationHints(acceptedLosses: ["Player.team", "Team.players"])),
        ]
        let store = try await Self.makeStore(kind, versions[0].model)
        try store.sql("ALTER TABLE player ADD CONSTRAINT strange FOREIGN KEY (team_id) REFERENCES team (_id)")
        let findings = try store.plan(versions).findings.filter { $0.rule == "foreign-object" }
        #expect(findings.map(\.subject) == ["constraint strange of player"])
    }
}

import ChildProcesses
import ContextCore
import SQLStore
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend

/// The effects on tables that plans report, compared with the actual effects.
struct PlanEffectTests {
    private static let title = AttributeDescription("title", .string)
    private static let note = AttributeDescription("note", .string, isOptional: true)

    private static func version(
        _ name: String, _ entities: [EntityDescription], _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        ModelVersion(name, try ObjectModel(entities: entities), hints: hints)
    }

    // MARK: Rows

    private func versions() throws -> [ModelVersion] {
        [
            try Self.version("V1", [.init("Game", attributes: [Self.title, Self.note])]),
            try Self.version(
                "V2", [.init("Match", attributes: [Self.title, Self.note], renamingIdentifier: "Game")]),
            try Self.version(
                "V3",
                [
                    .init(
                        "Match",
                        attributes: [Self.title, .init("note", .string, default: .value(.string("-")))]),
                    .init("Player", attributes: [Self.title]),
                ]),
            try Self.version(
                "V4",
                [
                    .init(
                        "Match",
                        attributes: [Self.title, .init("note", .string, default: .value(.string("-")))]),
                    .init("Player", attributes: [Self.title, .init("made", .date, default: .now)]),
                ]),
        ]
    }

    @Test(arguments: StoreKind.present)
    func `A plan counts the rows of tables, whatever their intermediate names`(_ kind: StoreKind)
        async throws
    {
        let store = try MigratedStore(kind)
        let versions = try versions()
        try await store.write(versions[0].model) { context in
            for name in ["a", "b", "c"] { try context.make("Game", ["title": .string(name)]) }
        }
        let plan = try store.plan(versions)
        let three = RowCount(rows: 3, isEstimated: false)
        let counts = plan.segments.map(\.rowCounts)
        #expect(counts[0] == ["game": three, "match": three])
        #expect(counts[1] == ["match": three])
        // The table of players doesn't exist yet.
        #expect(counts[2] == ["match": three])
        #expect(
            plan.description.contains("rewritten            3 rows")
                || plan.description.contains("rewritten  3 rows"), "\(plan)")
        #expect(plan.description.contains("rows unknown"))
        #expect(plan.script.contains("  3 rows\n"))
        let offline = try kind.backend.migrationPlan(
            try ModelVersions(versions).transitions(from: versions[0].model))
        #expect(offline.segments.allSatisfy { $0.rowCounts == nil })
        #expect(!offline.description.contains("3 rows"))
        #expect(offline.description.contains("The numbers of rows are unknown without a store."))

        try await store.write(versions[0].model) { try $0.make("Game", ["title": .string("d")]) }
        let later = try store.plan(versions)
        #expect(later.segments[0].rowCounts?["game"]?.rows == 4)
        #expect(later.digest == plan.digest)
        var options = MigrationOptions()
        options.digest = plan.digest
        let outcome = try await store.migrate(versions, options)
        #expect(outcome.transitions.count == 3)
    }

    @Test(arguments: StoreKind.present)
    func `Names that tables exchange have no row counts`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let indexes: [IndexDescription] = [.init(["x"])]
        let old = try Self.version(
            "V1",
            [
                .init("A", attributes: [.init("x", .int64)], indexes: indexes),
                .init("B", attributes: [.init("x", .string)], indexes: indexes),
            ])
        let new = try Self.version(
            "V2",
            [
                .init("A", attributes: [.init("x", .string)], indexes: indexes, renamingIdentifier: "B"),
                .init("B", attributes: [.init("x", .int64)], indexes: indexes, renamingIdentifier: "A"),
            ])
        try await store.write(old.model) { context in
            try context.make("A", ["x": .int(1)])
            try context.make("B", ["x": .string("b")])
            try context.make("B", ["x": .string("c")])
        }
        let plan = try store.plan([old, new])
        #expect(plan.segments[0].rowCounts == [:])
        try await store.migrate([old, new])
        let values = try await store.read(new.model) { try $0.values("A", "x") + $0.values("B", "x") }
        #expect(values == [.string("b"), .string("c"), .int(1)])
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `Indexes with long names are renamed together`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let entity = "AnEntityWithANameThatIsAlmostAsLongAsServersCan"
        func version(_ name: String, _ names: [String], _ older: [String]) throws -> ModelVersion {
            try Self.version(
                name,
                [
                    .init(
                        entity,
                        attributes: zip(names, older).map { .init($0, .int64, renamingIdentifier: $1) },
                        indexes: names.map { .init([.init($0)]) })
                ])
        }
        let old = try version("V1", ["a", "b", "c"], ["a", "b", "c"])
        let new = try version("V2", ["d", "e", "f"], ["a", "b", "c"])
        try await store.write(old.model) { try $0.make(entity, ["a": .int(1), "b": .int(2), "c": .int(3)]) }
        try await store.migrate([old, new])
        let values = try await store.read(new.model) { try $0.values(entity, "e") }
        #expect(values == [.int(2)])
        #expect(try store.drift() == [])
    }

    @Test func `Many rows of a file are estimated by SQLite's statistics`() async throws {
        let store = try MigratedStore(.sqlite)
        try await store.write(try versions()[0].model) { context in
            for name in ["a", "b", "c"] { try context.make("Game", ["title": .string(name)]) }
        }
        let connection = try SQLiteMigrationConnection(SQLiteConfiguration(store.url))
        defer { connection.close() }
        #expect(try connection.rowCount(of: "game", counting: 2) == RowCount(rows: 3, isEstimated: false))
        try connection.execute("ANALYZE")
        #expect(try connection.rowCount(of: "game", counting: 2) == RowCount(rows: 3, isEstimated: true))
        #expect(try connection.rowCount(of: "game", counting: 3) == RowCount(rows: 3, isEstimated: false))
        #expect(try connection.rowCount(of: "none", counting: 3) == nil)
        #expect(try connection.rowCount(of: "it's", counting: 3) == nil)
    }

    @Test(.enabled(if: StoreKind.present.contains(.postgres)))
    func `Many rows on a server are estimated without waiting`() async throws {
        let store = try MigratedStore(.postgres)
        try await store.write(try versions()[0].model) { _ in }
        try store.sql(
            "INSERT INTO game (_id, _version, title) SELECT i, 1, 'a' FROM generate_series(1, 20000) AS g (i)"
        )
        try store.sql("ANALYZE game")
        try await onThread { [url = store.url] in
            let (connection, other) = (
                try PostgresMigrationConnection(PostgresConfiguration(url), MigrationOptions()),
                try PostgresMigrationConnection(PostgresConfiguration(url), MigrationOptions())
            )
            defer { for each in [connection, other] { each.close() } }
            #expect(try connection.rowCount(of: "game") == RowCount(rows: 20000, isEstimated: true))
            #expect(try connection.rowCount(of: "none") == nil)
            try other.execute("BEGIN; LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
            #expect(try connection.rowCount(of: "game") == nil)
            try other.execute("ROLLBACK; DELETE FROM game WHERE _id > 3")
            #expect(try connection.rowCount(of: "game") == RowCount(rows: 3, isEstimated: false))
        }
    }

    @Test(arguments: [(0, "0 rows"), (1, "1 row"), (1204, "1,204 rows")])
    func `Counted rows are printed exactly`(_ rows: Int, _ words: String) {
        #expect("\(RowCount(rows: rows, isEstimated: false))" == words)
    }

    @Test(arguments: [
        (7, "about 7 rows"), (20_000, "about 20,000 rows"), (1_267_000, "about 1,300,000 rows"),
    ])
    func `Estimated rows are printed in round numbers`(_ rows: Int, _ words: String) {
        #expect("\(RowCount(rows: rows, isEstimated: true))" == words)
    }

    // MARK: Locks

    private static let game = EntityDescription(
        "Game", attributes: [title, note],
        relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)])
    private static func player(_ rule: DeleteRule = .nullify) -> EntityDescription {
        .init(
            "Player", attributes: [.init("name", .string)],
            relationships: [.init("game", to: "Game", inverse: "players", isOptional: true, deleteRule: rule)]
        )
    }

    /// Returns migrations of many kinds, each as a pair of models.
    private static func ways() throws -> [(ModelVersion, ModelVersion)] {
        let plain = EntityDescription("Game", attributes: [title, note])
        let lone = EntityDescription("Player", attributes: [.init("name", .string)])
        let required = EntityDescription(
            "Game", attributes: [title, .init("note", .string, default: .value(.string("-")))],
            relationships: game.relationships)
        let many = [
            EntityDescription(
                "Game", attributes: [title, note],
                relationships: [.init("players", to: "Player", inverse: "games", isToMany: true)]),
            EntityDescription(
                "Player", attributes: [.init("name", .string)],
                relationships: [
                    .init("games", to: "Game", inverse: "players", isToMany: true, renamingIdentifier: "game")
                ]),
        ]
        let unique = EntityDescription(
            "Game", attributes: [title, note], uniqueConstraints: [.init(["title"])])
        let renamed = EntityDescription(
            "Match", attributes: [title, note],
            relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)],
            renamingIdentifier: "Game")
        let renamedPlayer = EntityDescription(
            "Player", attributes: [.init("name", .string)],
            relationships: [.init("game", to: "Match", inverse: "players", isOptional: true)])
        let tree = [
            EntityDescription("Thing", attributes: [title]),
            EntityDescription("Piece", superentity: "Thing", attributes: [note]),
        ]
        let removed: Set<String> = ["Player", "Piece", "Game.players", "Player.game"]
        let ways: [([EntityDescription], [EntityDescription])] = [
            ([plain], [game, player()]), ([game, player()], [plain]), ([plain, lone], [game, player()]),
            ([game, player()], [plain, lone]), ([game, player()], [required, player()]),
            ([game, player()], many), (many, [game, player()].reversed()),
            ([game, player(.noAction)], [game, player()]), ([game, player()], [game, player(.noAction)]),
            ([plain], [unique]), ([game, player()], [renamed, renamedPlayer]), (tree, [tree[0]]),
        ]
        return try ways.compactMap { old, new in
            let models = (try version("V1", old).model, try version("V2", new).model)
            let changes = try ModelDifference(from: models.0, to: models.1, removed: removed).changes
            // Hints without effect are rejected.
            let hints = MigrationHints(
                removed: removed.intersection(changes.filter { $0.kind == .removed }.map(\.path)),
                acceptedLosses: Set(changes.filter { $0.consequence == .losesData }.map(\.path)))
            let versions = (try version("V1", old), try version("V2", new, hints))
            let transition = try ModelTransition(from: versions.0, to: versions.1)
            return transition.undecided.isEmpty ? versions : nil
        }
    }

    @Test(.enabled(if: StoreKind.present.contains(.postgres)))
    func `A migration takes exactly the locks that the plan lists`() async throws {
        let ways = try Self.ways()
        #expect(ways.count == 11)
        for (old, new) in ways {
            let store = try MigratedStore(.postgres)
            try await store.write(old.model) { context in
                for entity in old.model.layouts {
                    let required = entity.properties.filter { $0.attribute?.isOptional == false }
                    try context.make(
                        entity.name,
                        Dictionary(uniqueKeysWithValues: required.map { ($0.name, .string("a")) }))
                }
            }
            let plan = try store.plan([old, new])
            try await onThread { [url = store.url] in
                let connection = try PostgresMigrationConnection(
                    PostgresConfiguration(url), MigrationOptions())
                defer { connection.close() }
                for step in plan.steps { try Self.compare(step, connection) }
            }
        }
    }

    /// The strongest lock on each table that existed before a transaction, if it blocks other writers or schema changes.
    private static let held = """
        SELECT n.name, max(CASE l.mode WHEN 'AccessExclusiveLock' THEN '5 ACCESS EXCLUSIVE' \
        WHEN 'ExclusiveLock' THEN '4 EXCLUSIVE' WHEN 'ShareRowExclusiveLock' THEN '3 SHARE ROW EXCLUSIVE' \
        WHEN 'ShareLock' THEN '2 SHARE' ELSE '1 SHARE UPDATE EXCLUSIVE' END) \
        FROM pg_temp.names AS n JOIN pg_locks AS l ON l.relation = n.oid AND l.pid = pg_backend_pid() \
        WHERE l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock', \
        'ShareUpdateExclusiveLock') GROUP BY 1 ORDER BY 1
        """

    private static func compare(_ step: MigrationStep, _ connection: PostgresMigrationConnection) throws {
        let isConcurrent = step.statements.contains { $0.contains("CONCURRENTLY") }
        if isConcurrent {
            // It can't run in a transaction, so its locks can't be observed.
            for statement in step.statements { try connection.execute(statement) }
            return
        }
        try connection.execute(
            """
            CREATE TEMPORARY TABLE IF NOT EXISTS names (oid oid, name text); DELETE FROM pg_temp.names; \
            INSERT INTO pg_temp.names SELECT oid, relname FROM pg_class \
            WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' \
            AND relname <> '_store_history'
            """)
        // It locks the history table, as every step does to block writers of this library.
        try connection.begin()
        for statement in step.statements { try connection.execute(statement) }
        let rows = try connection.rows(SQLText(held, []), [.text, .text])
        let taken = rows.map { "\($0[0].text) \($0[1].text.dropFirst(2))" }.sorted()
        try connection.commit()
        let named = (step.effects ?? []).filter { $0.lock != nil && $0.lock != "ROW EXCLUSIVE" }
            .map { "\($0.table) \($0.lock ?? "")" }.sorted()
        #expect(taken == named, "\(step.sentence) \(step.statements)")
    }
}

extension StoredValue {
    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}

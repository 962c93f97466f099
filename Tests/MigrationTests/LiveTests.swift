import ChildProcesses
import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Testing

/// Programs that work while a server's store is migrated.
///
/// `STORE_LIVE_ROWS` is the number of rows; if it is set, the tests also check the duration of reads, so run nothing else at the same
/// time.
struct LiveTests {
    private static let rows = Effort.count("STORE_LIVE_ROWS", otherwise: 2000)
    private static let isAlone = ProcessInfo.processInfo.environment["STORE_LIVE_ROWS"] != nil
    /// The number of players that are changed only by programs without this library.
    private static let strangers = 50

    private static func version(
        _ name: String, _ attributes: [AttributeDescription], indexes: [IndexDescription] = [],
        _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        let common = [
            AttributeDescription("name", .string), .init("score", .int64),
            .init("first", .string, isOptional: true),
        ]
        return ModelVersion(
            name,
            try ObjectModel(entities: [
                .init(
                    "Player", attributes: common + attributes, indexes: indexes,
                    uniqueConstraints: [.init(["name"])])
            ]), hints: hints)
    }

    private static func versions() throws -> [ModelVersion] {
        let note = AttributeDescription("note", .string, isOptional: true)
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let label = AttributeDescription("label", .string, default: .value(.string("")))
        return [
            try version("V1", [note]),
            // Programs of both versions work.
            try version(
                "V2", [stars], indexes: [.init(["score"])], MigrationHints(acceptedLosses: ["Player.note"])),
            // Programs of the older version work until all values are computed.
            try version(
                "V3", [stars, label], indexes: [.init(["score"])],
                MigrationHints(conversions: ["Player.label": "first"])),
        ]
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { _ in }
        try store.sql(
            """
            INSERT INTO player (_id, _version, name, score, first) \
            SELECT n, 1, 'p' || n, n, 'first ' || n FROM generate_series(1, \(Self.rows)) AS n
            """)
        try store.sql(
            """
            INSERT INTO player (_id, _version, name, score, first) \
            SELECT \(Self.rows) + n, 1, 's' || n, n, 'first ' || n FROM generate_series(1, \(Self.strangers)) AS n
            """)
        try store.sql("ANALYZE player")
        return store
    }

    private func program(_ store: MigratedStore, _ model: ObjectModel) async throws -> LiveProgram {
        let text = store.text.replacing("connections=2", with: "connections=6")
        return LiveProgram(
            try await Store.open(text, backends: [.postgres], model: model, migration: .none), rows: Self.rows
        )
    }

    private func expectGood(_ outcome: LiveProgram.Outcome, _ what: String, refused: Bool) {
        #expect(outcome.failures == [], "\(what)")
        #expect(outcome.isRefused == refused, "\(what)")
        #expect(outcome.reads.count > 0 && outcome.writes.count > 0, "\(what)")
        // A read waits at most for a lock that a step gives up after half a second. With other tests at the same time, it waits longer for
        // the processor.
        if Self.isAlone {
            let slow = outcome.reads.count { $0 >= .seconds(1) }
            #expect(slow <= max(1, outcome.reads.count / 100), "\(what)")
        }
        print(
            """
            \(what), \(Self.rows) rows: \(outcome.reads.count) reads, p50 \(outcome.reads.percentile(0.5)), \
            p99 \(outcome.reads.percentile(0.99)), longest \(outcome.reads.percentile(1)); \
            \(outcome.writes.count) writes, p99 \(outcome.writes.percentile(0.99)), longest \
            \(outcome.writes.percentile(1)); \(outcome.retries) tried again
            """)
    }

    @Test(.timeLimit(.minutes(30)), arguments: StoreKind.present.filter { $0 == .postgres })
    func `No request fails while tables are expanded, filled and contracted`(_ kind: StoreKind) async throws {
        let versions = try Self.versions()
        let store = try await makeStore(kind, versions[0].model)
        let first = try await program(store, versions[0].model)
        let stranger = try SQLProgram(store.url, rows: Self.strangers)
        await first.waitForRequests(100)
        var options = MigrationOptions()
        options.lastPhase = .validate
        options.maximumAttempts = 100
        let expanded = try await store.migrate(Array(versions.prefix(2)), options)
        #expect(expanded.isPending)
        let second = try await program(store, versions[1].model)
        await first.waitForRequests(200)
        await second.waitForRequests(200)
        #expect(!first.isRefused)
        options.lastPhase = .contract
        try await store.migrate(Array(versions.prefix(2)), options)
        await first.waitForRequests(.max / 2)
        expectGood(await first.stop(), "Programs of V1 until V2 is contracted", refused: true)
        await second.waitForRequests(200)
        #expect(!second.isRefused)
        try await store.migrate(versions, options)
        await second.waitForRequests(.max / 2)
        expectGood(await second.stop(), "Programs of V2 until V3 is filled", refused: true)
        let third = try await program(store, versions[2].model)
        await third.waitForRequests(100)
        expectGood(await third.stop(), "Programs of V3", refused: false)
        let strange = await stranger.stop()
        #expect(strange.failures == [] && strange.writes.count > 0)
        print(
            "Programs by SQL: \(strange.writes.count) writes, longest \(strange.writes.percentile(1)); "
                + "\(strange.retries) tried again")
        // Values were computed for their last changes too.
        let stale = try store.sql("SELECT name FROM player WHERE name LIKE 's%' AND label <> first")
        #expect(stale == [])
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test(arguments: StoreKind.present)
    func `Rows that others change during the backfill are computed again`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let versions = try [Self.versions()[1], Self.versions()[2]]
        try await store.write(versions[0].model) { context in
            for index in 0..<30 {
                try context.make(
                    "Player", ["name": .string("p\(index)"), "score": .int(1), "first": .string("f\(index)")])
            }
        }
        // It stops after the values have been computed for the first time.
        var options = MigrationOptions()
        let isCancelled = Flag()
        options.progress = { if $0.rows > 0 { isCancelled.raise() } }
        options.isCancelled = { isCancelled.isRaised }
        let stopped = await refusal { try await store.migrate(versions, options) }
        #expect(stopped?.code == .cancelled)
        try await store.write(versions[0].model) { context in
            let players = try context.all("Player")
            try players[3].set("first", toStored: .string("changed"))
            context.delete(players[4])
            try context.make("Player", ["name": .string("new"), "score": .int(1), "first": .string("fresh")])
        }
        try await store.migrate(versions)
        let labels = try await store.read(versions[1].model) { try $0.values("Player", "label") }
        var expected: [StoredValue] = (0..<30).map { .string("f\($0)") }
        expected[3] = .string("changed")
        expected.remove(at: 4)
        #expect(labels == expected + [.string("fresh")])
        #expect(try store.drift() == [])
    }
}

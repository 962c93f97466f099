#if Postgres
import ContextCore
import Foundation
import RandomSeeds
import SQLStore
import Testing

@testable import PostgresBackend

/// Saves of many rows use `COPY` instead of `INSERT`, with the same results.
@Suite(.enabled(if: TestServer.isExpected))
struct RowCopyTests {
    private let model: ObjectModel
    private let configuration: PostgresConfiguration
    private let coordinator: PostgresCoordinator

    init() throws {
        let types: [(String, AttributeType)] = [
            ("flag", .bool), ("small", .int16), ("medium", .int32), ("large", .int64), ("single", .float),
            ("double", .double), ("exact", .decimal(precision: 38, scale: 10)), ("text", .string),
            ("bytes", .data), ("moment", .date), ("token", .uuid), ("link", .url), ("tags", .codable),
        ]
        let thing = EntityDescription(
            "Thing", attributes: types.map { AttributeDescription($0.0, $0.1, isOptional: true) })
        let special = EntityDescription(
            "Special", superentity: "Thing",
            attributes: [AttributeDescription("more", .string, isOptional: true)])
        model = try ObjectModel(entities: [thing, special])
        configuration = try TestServer.freshConfiguration()
        coordinator = try PostgresCoordinator(model: model, configuration)
    }

    // MARK: Rows

    private func index(_ name: String) throws -> Int { try #require(model.layout(named: name)).index }

    private func rows(_ entityIndex: Int, _ keys: ClosedRange<Int64>, _ random: inout SeededRandom) throws
        -> RowBatch
    {
        var builder = RowBatchBuilder(model: model)
        for key in keys {
            builder.beginRow(key: key, version: 1 + key % 3, entityIndex: entityIndex)
            for (index, column) in model.layouts[entityIndex].columns.enumerated() {
                guard case .attribute(let type) = column.kind, Int.random(in: 0..<5, using: &random) > 0
                else { continue }
                builder.set(index, to: Self.value(type, &random))
            }
        }
        return try builder.finish()
    }

    private static func value(_ type: AttributeType, _ random: inout SeededRandom) -> StoredValue {
        switch type {
        case .bool: .bool(.random(using: &random))
        case .int16: .int(Int64(Int16.random(in: .min ... .max, using: &random)))
        case .int32: .int(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .int64: .int(.random(in: .min ... .max, using: &random))
        case .float: .double(Double(Float.random(in: -1e30...1e30, using: &random)))
        case .double:
            .double(
                [.infinity, .nan, -0.0, .random(in: -1...1, using: &random)].randomElement(using: &random)
                    ?? 0)
        case .decimal: .decimal(Decimal(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 1000)
        case .data:
            .data(
                Data(
                    (0..<Int.random(in: 0...9, using: &random)).map { _ in
                        .random(in: 0...255, using: &random)
                    }))
        case .date:
            .timestamp(
                microseconds: .random(in: -1_000_000_000_000_000...1_000_000_000_000_000, using: &random))
        case .uuid:
            .uuid(
                UUID(
                    uuidString:
                        "00000000-0000-4000-8000-\(String(Int.random(in: 100_000_000_000...999_999_999_999, using: &random)))"
                ) ?? UUID())
        case .codable: .string("{\"n\": \(Int.random(in: 0...9, using: &random))}")
        default: .string(["", "häß🎲", "x", "\t\\N\n"].randomElement(using: &random) ?? "")
        }
    }

    private func insertion(_ rows: RowBatch) -> ChangeSet {
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: rows.entityIndex(at: 0), rows: rows)]
        return changes
    }

    private func save(_ rows: RowBatch) throws -> [RowConflict] {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "copy"))
        defer { session.end() }
        let conflicts = try session.apply(insertion(rows)).conflicts
        if conflicts.isEmpty { _ = try session.commit() }
        return conflicts
    }

    private func isCopied(_ rows: RowBatch) throws -> Bool {
        let session = try PostgresWriteSession(coordinator.store, SessionOptions(identifier: "asker"))
        defer { session.end() }
        let entity = coordinator.store.mapping.entities[rows.entityIndex(at: 0)]
        return try RowCopy(entity, coordinator.store.dialect).accepts(rows, session.connection)
    }

    private func stored(_ entity: Int) throws -> RowBatch {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "reader"))
        defer { session.end() }
        return try session.fetch(FetchPlan(entityIndex: entity))
    }

    /// Returns the values of all rows by key.
    private func contents(_ rows: RowBatch) -> [Int64: [StoredValue]] {
        Dictionary(
            uniqueKeysWithValues: (0..<rows.count).map { row in
                let entity = rows.entityIndex(at: row)
                let values = model.layouts[entity].columns.indices.map { column in
                    // Negative zero differs from zero, and all NaNs are equal.
                    if case .double(let number) = rows.value(column, at: row) {
                        return StoredValue.int(Int64(bitPattern: number.bitPattern))
                    }
                    return rows.value(column, at: row)
                }
                return (rows.key(at: row), [.int(rows.version(at: row)), .int(Int64(entity))] + values)
            })
    }

    // MARK: Stored values

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `Values of all types are stored unchanged`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let things = try rows(index("Thing"), 1...2500, &random)
        let specials = try rows(index("Special"), 3001...5500, &random)
        #expect(try isCopied(things) && isCopied(specials))
        #expect(try save(things).isEmpty && save(specials).isEmpty)
        let found = try contents(stored(index("Thing")))
        #expect(found == contents(things).merging(contents(specials)) { old, _ in old }, "seed \(seed)")
    }

    @Test func `A table with user-defined changes gets its rows by INSERT`() throws {
        var random = SeededRandom(seed: 5)
        let things = try rows(index("Thing"), 1...2500, &random)
        let vandal = try otherProgram(configuration)
        for change in [
            "ALTER TABLE \"thing\" ALTER COLUMN \"small\" TYPE bigint",
            "ALTER TABLE \"thing\" ALTER COLUMN \"moment\" TYPE timestamp USING \"moment\" AT TIME ZONE 'UTC'",
            "ALTER TABLE \"thing\" ALTER COLUMN \"_version\" ADD GENERATED ALWAYS AS IDENTITY",
            "CREATE RULE \"none\" AS ON INSERT TO \"thing\" WHERE NEW.\"_id\" < 0 DO INSTEAD NOTHING",
        ] {
            #expect(try isCopied(things), "before \(change)")
            try vandal.execute("BEGIN; SET LOCAL timezone = 'UTC'; \(change); COMMIT")
            #expect(try !isCopied(things), "\(change)")
            try vandal.execute(
                """
                DROP RULE IF EXISTS "none" ON "thing"; ALTER TABLE "thing" ALTER COLUMN "small" TYPE smallint, \
                ALTER COLUMN "_version" DROP IDENTITY IF EXISTS, \
                ALTER COLUMN "moment" TYPE timestamptz
                """)
        }
        try vandal.execute("ALTER TABLE \"thing\" ALTER COLUMN \"small\" TYPE bigint")
        #expect(try save(things).isEmpty)
        #expect(try contents(stored(index("Thing"))) == contents(things))
    }

    // MARK: Failures

    @Test func `A number that its column can't store is rejected, as in a small save`() throws {
        let small = try #require(
            model.layouts[index("Thing")].columns.firstIndex { $0.name == "small" })
        for count in [Int64(1), 3000] {
            var builder = RowBatchBuilder(model: model)
            for key in 1...count {
                builder.beginRow(key: key, version: 1, entityIndex: try index("Thing"))
                builder.set(small, to: .int(key == count ? 70_000 : 7))
            }
            let rows = try builder.finish()
            #expect(try !isCopied(rows), "\(count) rows")
            #expect(
                expectError(.unsupportedRequest) { _ = try save(rows) }?.message
                    == "A number is too large for the type of its column.", "\(count) rows")
        }
        #expect(try stored(index("Thing")).count == 0)
    }

    @Test func `An existing key is a conflict, as in a small save`() throws {
        var random = SeededRandom(seed: 6)
        let taken = try rows(index("Thing"), 2900...2900, &random)
        #expect(try save(taken).isEmpty)
        let few = try save(taken)
        let many = try save(rows(index("Thing"), 1...3000, &random))
        #expect(!few.isEmpty && many.map(\.key) == few.map(\.key))
        #expect(try contents(stored(index("Thing"))) == contents(taken))
    }

    /// Makes the server run an action when one of many rows arrives.
    private func arrange(_ action: String, at key: Int64) throws {
        try otherProgram(configuration).execute(
            """
            CREATE FUNCTION "act"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(action); RETURN NEW; END $$; \
            CREATE TRIGGER "act" BEFORE INSERT ON "thing" FOR EACH ROW WHEN (NEW."_id" = \(key)) EXECUTE FUNCTION "act"()
            """)
    }

    @Test func `A row that the server rejects leaves the session usable`() throws {
        try arrange("RAISE EXCEPTION 'not this one'", at: 1500)
        var random = SeededRandom(seed: 7)
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "copy"))
        defer { session.end() }
        let first = try rows(index("Thing"), 5001...5010, &random)
        #expect(try session.apply(insertion(first)).conflicts.isEmpty)
        let changes = try insertion(rows(index("Thing"), 1...3000, &random))
        expectError(.database) { _ = try session.apply(changes) }
        let last = try rows(index("Thing"), 6001...9000, &random)
        #expect(try session.apply(insertion(last)).conflicts.isEmpty)
        _ = try session.commit()
        let expected = contents(first).merging(contents(last)) { old, _ in old }
        #expect(try contents(stored(index("Thing"))) == expected)
    }

    @Test func `A server that disappears has stored nothing, and is not waited for`() throws {
        try arrange("PERFORM pg_terminate_backend(pg_backend_pid())", at: 1500)
        var random = SeededRandom(seed: 8)
        // More rows than the socket buffers can hold.
        let things = try rows(index("Thing"), 1...60_000, &random)
        expectError(.connectionLost) { _ = try save(things) }
        #expect(try stored(index("Thing")).count == 0)
        #expect(coordinator.connectionReport.holders.isEmpty)
    }

    @Test func `A server that is busy with one row is waited for, despite full buffers`() throws {
        // The server reads nothing for longer than the TCP timeout; and there are more rows than fit in one statement.
        try arrange("PERFORM pg_sleep(12)", at: 1500)
        let text = try #require(model.layouts[index("Thing")].columns.firstIndex { $0.name == "text" })
        var builder = RowBatchBuilder(model: model)
        for key in Int64(1)...20_000 {
            builder.beginRow(key: key, version: 1, entityIndex: try index("Thing"))
            builder.set(text, to: .string(String(repeating: "\(key) ", count: 200)))
        }
        let things = try builder.finish()
        #expect(try save(things).isEmpty)
        #expect(try contents(stored(index("Thing"))) == contents(things))
    }

    @Test func `A cancelled task doesn't wait for the rest`() async throws {
        try arrange("PERFORM pg_sleep(600)", at: 1500)
        var random = SeededRandom(seed: 9)
        let changes = try insertion(rows(index("Thing"), 1...60_000, &random))
        let (coordinator, observer) = (coordinator, try otherProgram(configuration))
        let task = Task.detached {
            let session = try coordinator.openWriteSession(
                SessionOptions(identifier: "copy", isCancellable: true))
            defer { session.end() }
            _ = try session.apply(changes)
        }
        let sleeps = try eventually {
            try observer.integer(
                "SELECT count(*) FROM pg_stat_activity WHERE starts_with(query, 'COPY') AND wait_event = 'PgSleep'"
            )
                == 1
        }
        #expect(sleeps)
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try stored(index("Thing")).count == 0)
        #expect(coordinator.connectionReport.holders.isEmpty)
    }
}
#endif

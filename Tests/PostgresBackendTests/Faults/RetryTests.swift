#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Blocks that may be retried.
@Suite(.enabled(if: TestServer.isExpected))
struct RetryTests {
    private let injured: InjuredStore
    private let store: Store

    init() throws {
        injured = try InjuredStore(model: ObjectModel([Piece.self])) { $0.isolation = .serializable }
        store = try Store(coordinator: injured.coordinator)
    }

    /// Inserts a piece that records the number of pieces before it; at the first attempt, another program inserts one in between.
    private func write(retries: Int) async throws -> Int {
        let (attempts, direct) = (Guarded(0), injured.direct)
        try await store.write("count and add", retries: retries) { context in
            let count = try context.count(Piece.self)
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            if isFirst {
                try otherProgram(direct).execute(
                    """
                    BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT count(*) FROM "piece"; \
                    INSERT INTO "piece" ("_id", "_version", "batch", "part") VALUES (1000, 1, 7, 7); COMMIT
                    """)
            }
            _ = Piece(in: context, batch: 1, part: count)
        }
        return attempts.withLock { $0 }
    }

    @Test func `A block that meets contention is retried if allowed`() async throws {
        #expect(try await write(retries: 3) == 2)
        #expect(try injured.integer("SELECT \"part\" FROM \"piece\" WHERE \"batch\" = 1") == 1)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 2)
        await store.close()
    }

    @Test func `A block without retries reports the contention`() async throws {
        let error = await #expect(throws: StoreError.self) { try await write(retries: 0) }
        #expect(error?.code == .contention)
        #expect(error?.remedy?.contains("retries") == true)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 1)
        await store.close()
    }

    @Test func `A block whose connection is lost before COMMIT is retried if allowed`() async throws {
        injured.proxy.arm(.cutBeforeCommit)
        try await store.write("add", retries: 1) { _ = Piece(in: $0, batch: 1, part: 0) }
        #expect(injured.proxy.faultCount == 1)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 1)
        await store.close()
    }

    // MARK: Saves of contexts

    /// Makes the server reject the given number of saves with an error code of contention.
    private func refuse(_ count: Int, _ state: String) throws {
        try injured.execute(
            """
            CREATE SEQUENCE refusals; \
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            IF nextval('refusals') <= \(count) THEN RAISE EXCEPTION 'no' USING ERRCODE = '\(state)'; END IF; RETURN NEW; END $$; \
            ALTER FUNCTION refuse() SET search_path FROM CURRENT; \
            CREATE TRIGGER refuse BEFORE INSERT ON "piece" FOR EACH ROW EXECUTE FUNCTION refuse()
            """)
    }

    @Test(arguments: ["40P01", "40001"])
    func `A save of a context is retried, since its changes stay the same`(_ state: String) async throws {
        try refuse(3, state)
        try await store.makeBackgroundContext().perform { context in
            _ = Piece(in: context, batch: 1, part: 1)
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 1)
        #expect(try injured.integer("SELECT last_value FROM refusals") == 4)
        await store.close()
    }

    @Test func `A save that always meets contention is reported, and its changes stay pending`() async throws
    {
        try refuse(1000, "40P01")
        let injured = injured
        let editor = store.makeBackgroundContext()
        try await editor.perform { context in
            _ = Piece(in: context, batch: 1, part: 1)
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .contention)
            #expect(error?.remedy?.contains("Save again") == true)
            #expect(context.hasChanges)
        }
        try injured.execute("DROP TRIGGER refuse ON \"piece\"")
        try await editor.perform { try $0.save() }
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 1)
        await store.close()
    }

    @Test func `A save inside of a block without retries reports the contention`() async throws {
        try refuse(1, "40001")
        let error = await #expect(throws: StoreError.self) {
            try await store.write("save inside", retries: 0) { context in
                _ = Piece(in: context, batch: 1, part: 1)
                try context.save()
            }
        }
        #expect(error?.code == .contention)
        #expect(error?.remedy?.contains("retries") == true)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 0)
        await store.close()
    }
}
#endif

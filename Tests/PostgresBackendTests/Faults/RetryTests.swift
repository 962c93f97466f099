#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Blocks that may run twice.
@Suite(.enabled(if: TestServer.isExpected))
struct RetryTests {
    private let injured: InjuredStore
    private let store: Store

    init() throws {
        injured = try InjuredStore(model: ObjectModel([Piece.self])) { $0.isolation = .serializable }
        store = try Store(coordinator: injured.coordinator)
    }

    /// Makes a piece that says how many there were; before that, the first time only, somebody else makes one too.
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

    @Test func `A block that others got in the way of is run again where it may be`() async throws {
        #expect(try await write(retries: 3) == 2)
        #expect(try injured.integer("SELECT \"part\" FROM \"piece\" WHERE \"batch\" = 1") == 1)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 2)
        await store.close()
    }

    @Test func `A block that may not run twice reports what got in its way`() async throws {
        let error = await #expect(throws: StoreError.self) { try await write(retries: 0) }
        #expect(error?.code == .contention)
        #expect(error?.remedy?.contains("retries") == true)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 1)
        await store.close()
    }

    @Test func `A block whose connection was lost before COMMIT is run again where it may be`() async throws {
        injured.proxy.arm(.cutBeforeCommit)
        try await store.write("add", retries: 1) { _ = Piece(in: $0, batch: 1, part: 0) }
        #expect(injured.proxy.faultCount == 1)
        #expect(try injured.integer("SELECT count(*) FROM \"piece\"") == 1)
        await store.close()
    }
}
#endif

#if Postgres
import ChildProcesses
import ContextCore
import Testing

@testable import PostgresBackend

/// The inspector shows what other sessions do with a store.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct ActivityTests {
    private let configuration: PostgresConfiguration
    private let inspector: PostgresInspector

    init() throws {
        configuration = try TestServer.freshConfiguration()
        let things = try ServerThings(configuration)
        try things.save(1)
        things.coordinator.close()
        inspector = try PostgresInspector(configuration)
    }

    private var table: String { "\(configuration.quotedSchema).\"thing\"" }

    @Test func `A session that waits for a lock is listed with the session that holds it`() async throws {
        let holder = try PostgresConnection(configuration)
        try holder.execute("BEGIN; UPDATE \(table) SET name = 'secret 42'")
        let (configuration, table) = (configuration, table)
        let waiting = Task(executorPreference: ThreadExecutor()) {
            let waiter = try PostgresConnection(configuration)
            try waiter.execute("BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE; COMMIT")
        }
        #expect(try eventually { try !inspector.activity(.none).waits.isEmpty })
        let activity = try inspector.activity(.none)
        let wait = try #require(activity.waits.first)
        #expect(activity.waits.count == 1)
        #expect(wait.target == "thing" && wait.mode == "AccessExclusiveLock")
        #expect(wait.blockers == [Int64(holder.process.pid)])
        #expect(wait.since != nil)
        let waiter = try #require(activity.sessions.first { $0.process == wait.process })
        #expect(waiter.blockers == wait.blockers && waiter.usesStore)
        #expect(waiter.wait == "Lock relation")
        let held = try #require(activity.sessions.first { $0.process == Int64(holder.process.pid) })
        #expect(held.state == "idle in transaction" && held.usesStore && held.blockers.isEmpty)
        #expect(held.program == holder.process.name && held.user == configuration.user)
        let start = try #require(held.transactionStart)
        #expect(abs(activity.time.timeIntervalSince(start)) < 600)
        #expect(held.statement == nil)
        let masked = try statement(of: holder, .withoutValues)
        #expect(masked.hasSuffix("SET name = ?"), "\(masked)")
        #expect(try statement(of: holder, .withValues).hasSuffix("SET name = 'secret 42'"))
        try holder.execute("ROLLBACK")
        try await waiting.value
        #expect(try inspector.activity(.none).waits.isEmpty)
    }

    private func statement(of connection: PostgresConnection, _ detail: StatementDetail) throws -> String {
        let session = try inspector.activity(detail).sessions.first {
            $0.process == Int64(connection.process.pid)
        }
        return try #require(session?.statement)
    }

    @Test func `A row that another transaction has changed is waited for`() async throws {
        let holder = try PostgresConnection(configuration)
        try holder.execute("BEGIN; UPDATE \(table) SET name = 'a'")
        let (configuration, table) = (configuration, table)
        let waiting = Task(executorPreference: ThreadExecutor()) {
            try PostgresConnection(configuration).execute("UPDATE \(table) SET name = 'b'")
        }
        #expect(try eventually { try !inspector.activity(.none).waits.isEmpty })
        let wait = try #require(try inspector.activity(.none).waits.first)
        #expect(wait.target == "a row that another transaction has changed")
        #expect(wait.blockers == [Int64(holder.process.pid)])
        try holder.execute("COMMIT")
        try await waiting.value
    }

    @Test func `A migration that has locked the models is seen without waiting for it`() throws {
        let holder = try PostgresConnection(configuration)
        try holder.execute(
            "BEGIN; LOCK TABLE \(configuration.quotedSchema).\"_store_models\" IN ACCESS EXCLUSIVE MODE")
        try inspector.connection().execute("SET lock_timeout = '5s'")
        let activity = try inspector.activity(.none)
        #expect(activity.limits.isEmpty)
        #expect(activity.sessions.first { $0.process == Int64(holder.process.pid) }?.usesStore == true)
        try holder.execute("ROLLBACK")
    }

    @Test func `An open snapshot holds back the vacuum, and an unfinished save the followers`() throws {
        let holder = try PostgresConnection(configuration)
        func obstacle(_ work: StoreActivity.Obstacle.Work) throws -> StoreActivity.Obstacle? {
            try inspector.activity(.none).obstacles.first { $0.work == work }
        }
        #expect(try obstacle(.following) == nil)
        try holder.execute(
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; \
            LOCK TABLE \(configuration.quotedSchema)."_store_history" IN ROW EXCLUSIVE MODE
            """)
        let following = try #require(try obstacle(.following))
        #expect(following.process == Int64(holder.process.pid) && following.kind == .session)
        #expect(following.since != nil)
        // Other tests have snapshots in the same database, which may be older.
        #expect(try #require(try obstacle(.vacuum)).distance >= 0)
        try holder.execute("ROLLBACK")
        #expect(try obstacle(.following) == nil)
    }

    @Test func `Connections and the size are reported, and the inspector's own session is not`() throws {
        let activity = try inspector.activity(.none)
        let connections = try #require(activity.connections)
        #expect(connections.used >= 1 && connections.limit >= connections.used)
        #expect((activity.bytes ?? 0) > 1 << 20)
        let own = try inspector.connection().process.name
        #expect(!activity.sessions.contains { $0.program == own })
        #expect(activity.slowStatements.isEmpty && activity.pages == nil && activity.log == nil)
    }

    @Test func `Without the extension for statistics a report says how to get slow statements`() throws {
        let limits = try inspector.activity(.withoutValues).limits
        let isLoaded = try inspector.connection().integer(
            "SELECT count(*) FROM pg_catalog.pg_extension WHERE extname = 'pg_stat_statements'")
        #expect(limits.contains { $0.contains("pg_stat_statements") } == (isLoaded == 0))
        #expect(try !inspector.activity(.none).limits.contains { $0.contains("pg_stat_statements") })
    }

    @Test func `A schema without a store has activity too`() throws {
        let empty = try PostgresInspector(TestServer.freshConfiguration())
        #expect(try empty.activity(.none).connections != nil)
    }

    @Test(.enabled(if: PrivateServer.isExpected, PrivateServer.absence))
    func `A replica is reported with its lag`() async throws {
        let replicas = try await onThread {
            let server = try PrivateServer(withReplica: true)
            try server.waitForReplica()
            let inspector = try PostgresInspector(server.configuration)
            var replicas: [StoreActivity.Replica] = []
            // The server knows no positions before the replica's first answer.
            _ = try eventually {
                replicas = try inspector.activity(.none).replicas
                return replicas.first?.unappliedBytes != nil
            }
            return replicas
        }
        #expect(replicas.count == 1)
        let replica = try #require(replicas.first)
        #expect(replica.state == "streaming" && replica.synchrony == "async")
        #expect(replica.missingBytes != nil && replica.unappliedBytes != nil)
    }
}

/// Statements without their values.
struct LiteralMaskTests {
    @Test(arguments: [
        ("SELECT a FROM b WHERE c = 'x' AND d > 10", "SELECT a FROM b WHERE c = ? AND d > ?"),
        ("SELECT 'it''s', ''", "SELECT ?, ?"), (#"SELECT E'a\'b', 'c'"#, "SELECT ?, ?"),
        // With the old rules for backslashes this is one text up to the third quotation mark.
        (#"SELECT 'a\', 'b'"#, "SELECT ?"), (#"SELECT 'it\'s', 'b'"#, "SELECT ?"),
        (#"SELECT 'a\'', 'b'"#, "SELECT ?"), (#"SELECT 'a\\', b, 'c'"#, "SELECT ?, b, ?"),
        ("UPDATE a SET b = true, c = False", "UPDATE a SET b = ?, c = ?"),
        ("SELECT b'1', X'ff', N'n', U&'d'", "SELECT ?, ?, ?, ?"),
        ("SELECT 1, 2.5, .5, 1e-10, 0xFF, 1_000", "SELECT ?, ?, ?, ?, ?, ?"),
        (#"SELECT "it's 1" FROM t1.c2 WHERE $1 = $12"#, #"SELECT "it's 1" FROM t1.c2 WHERE $1 = $12"#),
        (#"SELECT "a""b", 'c'"#, #"SELECT "a""b", ?"#),
        ("SELECT $$a'b$$, $x$ $$ $x$, 'c'", "SELECT ?, ?, ?"), ("SELECT a$b$c, 1", "SELECT a$b$c, ?"),
        ("SELECT a -- for 'Ann'\n, 1", "SELECT a \n, ?"),
        ("SELECT a /* 'x' /* y */ z */ , 1", "SELECT a   , ?"), ("SELECT 'cut", "SELECT ?"),
        ("SELECT $$cut", "SELECT ?"), ("SELECT 1 /* cut", "SELECT ?  "), ("SELECT \"cut", "SELECT \"cut"),
        ("SELECT -1, 5-3", "SELECT -?, ?-?"), ("", ""), ("$", "$"),
        ("SELECT größe = 'ä'", "SELECT größe = ?"),
        (#"SELECT E'cut\"#, "SELECT ?"),
    ])
    func `Values are replaced, names are not`(statement: String, masked: String) {
        #expect(LiteralMask(statement).text == masked)
    }
}
#endif

import ContextCore
import Foundation
import PostgresBackend
import Testing

@testable import SQLiteBackend
@testable import StoreAdmin

/// `sql` without `--write` changes nothing: no database, no file and no server.
struct ReadingSQLTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: [
        "PRAGMA journal_mode=delete", "PRAGMA journal_mode(delete)", "PRAGMA wal_checkpoint(TRUNCATE)",
        "PRAGMA wal_checkpoint", "PRAGMA user_version=7", "PRAGMA application_id=1", "PRAGMA optimize",
        "PRAGMA query_only=0", "PRAGMA writable_schema=1", "PRAGMA incremental_vacuum", "VACUUM", "ANALYZE",
        "REINDEX", "ATTACH 'other.sqlite' AS other", "BEGIN IMMEDIATE", "SAVEPOINT a", "DELETE FROM game",
        "CREATE TEMP TABLE a (b)", "EXPLAIN DELETE FROM game", "SELECT load_extension('x')",
        "WITH a AS (SELECT 1) DELETE FROM game", "/* SELECT */ DROP TABLE game",
    ])
    func `SQLite rejects statements that change a store`(statement: String) throws {
        _ = try bench.makeShop()
        let path =
            bench.folder + "/" + (try #require(bench.variables["STORECTL_URL"]?.dropFirst("sqlite:".count)))
        // An open connection prevents the checkpoint at closing, so any other checkpoint would be visible.
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        defer { connection.close() }
        try connection.execute("PRAGMA journal_mode = wal")
        try connection.execute("UPDATE game SET title = 'Gone' WHERE _id = 1")
        let before = try (contents(path), contents(path + "-wal"))
        let outcome = bench.run("sql", statement)
        #expect(outcome.exit == .permission, "\(outcome.problems)")
        #expect(outcome.problems.contains("Add --write to allow changes."))
        #expect(try (contents(path), contents(path + "-wal")) == before)
    }

    @Test(arguments: [
        "SELECT count(*) FROM game", "VALUES (1)", "WITH a AS (SELECT 1) SELECT * FROM a",
        "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT * FROM a",
        "EXPLAIN QUERY PLAN SELECT * FROM game", "PRAGMA journal_mode", "PRAGMA table_info(game)",
        "PRAGMA integrity_check", "PRAGMA foreign_key_check", "SELECT * FROM pragma_table_info('game')",
        "PRAGMA index_list(game)", "SELECT name FROM sqlite_schema", "SELECT upper(title) FROM game",
    ])
    func `SQLite accepts reading statements`(statement: String) throws {
        _ = try bench.makeShop()
        let outcome = bench.run("sql", statement)
        #expect(outcome.exit == .success, "\(outcome.problems)")
    }

    @Test func `A log that another program left is not checkpointed`() throws {
        _ = try bench.makeShop()
        let path =
            bench.folder + "/" + (try #require(bench.variables["STORECTL_URL"]?.dropFirst("sqlite:".count)))
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        try connection.execute("PRAGMA journal_mode = wal")
        try connection.execute("UPDATE game SET title = 'Gone' WHERE _id = 1")
        // A killed program leaves its log; the copies simulate that.
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + end, toPath: bench.folder + "/left.sqlite" + end)
        }
        connection.close()
        let left = bench.folder + "/left.sqlite"
        let before = try (contents(left), contents(left + "-wal"))
        let outcome = bench.run("sql", "SELECT title FROM game WHERE _id = 1", "-s", "sqlite:left.sqlite")
        #expect(outcome.output.contains("Gone"), "\(outcome.problems)")
        #expect(try (contents(left), contents(left + "-wal")) == before)
    }

    private func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test(arguments: [
        "SET TRANSACTION READ WRITE", "COMMIT", "ROLLBACK", "BEGIN", "DELETE FROM game",
        "SELECT 1; DELETE FROM game",
        "COMMIT; DELETE FROM game", "DO $$BEGIN SET TRANSACTION READ WRITE; DELETE FROM game; END$$",
        "COPY game TO PROGRAM 'cat'", "COPY game TO STDOUT", "VACUUM", "LOCK TABLE game", "NOTIFY a",
        "CALL a()",
        "SET work_mem = '64MB'", "SELECT pg_terminate_backend(1)",
        "SELECT pg_catalog.pg_terminate_backend (1)",
        "SELECT \"pg_terminate_backend\"(1)", "SELECT pg_cancel_backend/**/(1)",
        "SELECT lo_import('/etc/passwd')",
        "SELECT setval('s', 1)", "SELECT nextval('s')", "SELECT pg_advisory_lock(1)",
        "SELECT pg_notify('a', 'b')",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
        "SELECT pg_reload_conf()", "SELECT U&\"pg_\\0074erminate_backend\"(1)",
        "EXPLAIN ANALYZE DELETE FROM game",
        "WITH a AS (DELETE FROM game RETURNING 1) SELECT * FROM a", "SELECT * FROM game FOR UPDATE",
        "SELECT 1 FROM pg_catalog.pg_class WHERE pg_advisory_lock(1) IS NULL",
        "SELECT * INTO other FROM game", "-- SELECT\nDROP TABLE game",
    ])
    func `PostgreSQL rejects statements that change a store or the server`(statement: String) throws {
        guard TestPlace.server != nil else { return }
        _ = try bench.makeShop(.postgres)
        let outcome = bench.run("sql", statement)
        #expect(
            [.permission, .usage].contains(outcome.exit),
            "\(outcome.exit) \(outcome.output)\(outcome.problems)")
        #expect(bench.run("count", "Game").output == "2\n")
    }

    @Test(arguments: [
        "SELECT count(*) FROM game", "(SELECT 1)", "VALUES (1)", "TABLE game", "SHOW work_mem",
        "WITH a AS (SELECT 1 AS n) SELECT sum(n) FROM a", "EXPLAIN SELECT * FROM game",
        "/* a */ SELECT now()",
        "SELECT random(), pg_relation_size('game')", "SELECT 'pg_terminate_backend(1)'",
        "SELECT pg_is_in_recovery(), pg_blocking_pids(1)",
        "SELECT $a$ setval(1) $a$, E'\\' nextval('", "SELECT 1 -- setval(",
    ])
    func `PostgreSQL accepts reading statements`(statement: String) throws {
        guard TestPlace.server != nil else { return }
        _ = try bench.makeShop(.postgres)
        let outcome = bench.run("sql", statement)
        #expect(outcome.exit == .success, "\(outcome.problems)")
    }

    @Test func `A function in another schema forbids none of PostgreSQL's own`() throws {
        guard TestPlace.server != nil else { return }
        _ = try bench.makeShop(.postgres)
        let other = "other_\(UUID().uuidString.prefix(8).lowercased())"
        let statements = [
            "CREATE SCHEMA \(other)",
            "CREATE FUNCTION \(other).round(numeric) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        ]
        for statement in statements {
            let made = bench.run("sql", "--write", statement)
            try #require(made.exit == .success, "\(made.problems)")
        }
        defer { _ = bench.run("sql", "--write", "DROP SCHEMA \(other) CASCADE") }
        #expect(bench.run("sql", "SELECT round(1.5)").exit == .success)
        #expect(bench.run("sql", "SELECT \(other).round(1.5)").exit == .permission)
    }
}

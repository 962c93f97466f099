#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Reading the files of other programs, none of which changes.
struct ForeignDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.url.path + "/other.sqlite" }

    /// Creates a database, and returns the connection that wrote it.
    private func make(_ statements: String...) throws -> SQLiteConnection {
        try Data().write(to: URL(fileURLWithPath: path))
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(60))
        for statement in statements { try connection.execute(statement) }
        return connection
    }

    private func open() throws -> ForeignDatabase {
        try ForeignDatabase(SQLiteConfiguration(path: path, mode: .read))
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let files = try names.map {
            ($0, try Data(contentsOf: URL(fileURLWithPath: folder.url.path + "/" + $0)))
        }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
    }

    @Test func `Values are read by their types, and parameters are bound`() throws {
        try make(
            "CREATE TABLE t (a)",
            "INSERT INTO t VALUES (1), (2.5), ('x'), (x'00FF'), (NULL), (CAST(x'61FF' AS TEXT))"
        ).close()
        let database = try open()
        defer { database.close() }
        #expect(
            try database.rows("SELECT a FROM t ORDER BY rowid").map { $0[0] } == [
                .int(1), .double(2.5), .string("x"), .data(Data([0, 255])), .null, .data(Data([0x61, 0xFF])),
            ])
        let found = try database.rows(
            "SELECT ?1, ?2, ?3, ?4", .int(.min), .string("é"), .data(Data([1])), .null)
        #expect(found == [[.int(.min), .string("é"), .data(Data([1])), .null]])
        #expect(throws: StoreError.self) { try database.rows("INSERT INTO t VALUES (1)") }
    }

    @Test func `Commits in a write-ahead log are read, and no file changes`() throws {
        let writer = try make("PRAGMA journal_mode = wal", "CREATE TABLE t (a)", "INSERT INTO t VALUES (7)")
        defer { writer.close() }
        let before = try contents()
        #expect(before.keys.contains("other.sqlite-wal"))
        let database = try open()
        #expect(try database.rows("SELECT a FROM t") == [[.int(7)]])
        database.close()
        #expect(try contents() == before)
    }

    @Test func `A file in WAL mode without a log is read, and no file is created`() throws {
        let writer = try make("CREATE TABLE t (a)", "INSERT INTO t VALUES (7)", "PRAGMA journal_mode = wal")
        try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writer.close()
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        let before = try contents()
        let database = try open()
        #expect(try database.rows("SELECT a FROM t") == [[.int(7)]])
        #expect(try contents() == before)
    }

    @Test func `A journal beside the file stays`() throws {
        try make("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)").close()
        // Not a valid journal, which SQLite would remove from a file that it may write.
        try Data("journal".utf8).write(to: URL(fileURLWithPath: path + "-journal"))
        let before = try contents()
        let database = try open()
        #expect(try database.rows("SELECT a FROM t") == [[.int(1)]])
        database.close()
        #expect(try contents() == before)
    }

    @Test func `Names with special characters are opened`() throws {
        let odd = folder.url.path + "/a?b#c%20.sqlite"
        try make("CREATE TABLE t (a)").close()
        try FileManager.default.moveItem(atPath: path, toPath: odd)
        let database = try ForeignDatabase(SQLiteConfiguration(path: odd, mode: .read))
        #expect(try database.rows("SELECT count(*) FROM t") == [[.int(0)]])
    }

    @Test func `Files that are no databases are errors, and an empty file has no tables`() throws {
        expectError(.storeNotFound) { _ = try open() }
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        expectError(.notADatabase) { _ = try open() }
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try open().rows("SELECT name FROM sqlite_schema").isEmpty)
    }
}
#endif

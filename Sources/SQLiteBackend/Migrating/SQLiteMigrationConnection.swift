#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// The connection that migrates a store in a file.
///
/// One thread at a time uses its connection and the lock.
final class SQLiteMigrationConnection: MigrationConnection {
    let migrationDialect = MigrationDialect.sqlite
    private let configuration: SQLiteConfiguration
    private let file: StoreFile
    private let connection: SQLiteConnection
    private let lock: MigrationLock

    init(_ configuration: SQLiteConfiguration) throws(StoreError) {
        guard let path = configuration.path else {
            throw StoreError(
                .unsupportedRequest,
                "An in-memory store can't be migrated, because each opening creates it anew with the program's model.",
                remedy: "Give the path of a file.")
        }
        file = try StoreFile(path)
        guard file.exists else {
            throw StoreError(
                .storeNotFound, "There is no store at “\(file.path)”.", remedy: "Correct the path.")
        }
        guard configuration.mode != .read else {
            throw StoreError(
                .readOnly, "The store was opened read-only and can't be migrated.",
                remedy: "Open it with mode=rw.")
        }
        try file.checkHeader(configuration.testHooks)
        self.configuration = configuration
        connection = try SQLiteConnection.open(.readAndWrite, file, configuration)
        try StoreHeader(reading: connection).check(file)
        lock = MigrationLock(of: file)
    }

    // MARK: Lock

    func tryLock() throws(StoreError) -> Bool { try lock.tryLock() }
    func lockHolder() -> String? { lock.holder }
    func unlock() { lock.unlock() }

    // MARK: Transactions

    /// Disables foreign keys first: inside a transaction the setting has no effect, and DROP TABLE would delete rows that refer to it.
    func begin() throws(StoreError) {
        try execute("PRAGMA foreign_keys = 0")
        guard try connection.integer("PRAGMA foreign_keys") == 0 else {
            throw StoreError(
                .database, "SQLite's foreign keys can't be disabled, which rebuilding tables requires.",
                remedy: "Use a build of SQLite with the default options.")
        }
        try connection.begin(writing: true)
    }

    func commit() throws(StoreError) {
        try connection.commit()
        try execute("PRAGMA foreign_keys = 1")
    }

    func rollback() {
        connection.rollback()
        try? execute("PRAGMA foreign_keys = 1")
    }

    // MARK: Statements

    var isInTransaction: Bool { connection.isInTransaction }

    func execute(_ sql: String) throws(StoreError) { try connection.execute(sql) }

    func run(_ text: SQLText) throws(StoreError) { try connection.run(text) }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try connection.rows(text, types)
    }

    // MARK: Inspection

    func userDefinedObjects(besides own: [TableSchema]) throws(StoreError) -> [UserObject] {
        let names = Set(own.flatMap(\.indexes).map(\.name))
        let rows = try texts(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'table' ORDER BY rowid",
            columns: 4)
        return rows.compactMap { row in
            guard let kind = UserObject.Kind(rawValue: row[0]), !names.contains(row[1]) else { return nil }
            return UserObject(kind, name: row[1], table: row[2], sql: row[3])
        }
    }

    /// Returns an empty array, because the function above returns all user-defined triggers and views.
    func userObjectDescriptions(on own: [TableSchema]) throws(StoreError) -> [String] { [] }

    /// Counts up to a million rows, which takes a fraction of a second, and estimates more.
    func rowCount(of table: String) throws(StoreError) -> RowCount? {
        try rowCount(of: table, counting: 1_000_000)
    }

    /// - Parameter few: The number up to which rows are counted; more are counted only if the file was never analyzed.
    func rowCount(of table: String, counting countLimit: Int) throws(StoreError) -> RowCount? {
        let known = try count(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = \(literal(table))")
        guard known > 0 else { return nil }
        let name = SQLDialect.sqlite.quoted(table)
        let counted = try count("SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT \(countLimit + 1))")
        if counted <= countLimit { return RowCount(rows: counted, isEstimated: false) }
        if let estimate = try estimate(of: table), estimate > countLimit {
            return RowCount(rows: estimate, isEstimated: true)
        }
        return RowCount(rows: try count("SELECT count(*) FROM \(name)"), isEstimated: false)
    }

    /// Returns the number of rows from the last ANALYZE, the first number of the statistics.
    private func estimate(of table: String) throws(StoreError) -> Int? {
        let isAnalyzed = try count("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'") > 0
        guard isAnalyzed else { return nil }
        let rows = try texts("SELECT stat FROM sqlite_stat1 WHERE tbl = \(literal(table))", columns: 1)
        return rows.compactMap { $0[0].split(separator: " ").first.flatMap { Int($0) } }.max()
    }

    private func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    private func count(_ sql: String) throws(StoreError) -> Int { Int(try connection.integer(sql) ?? 0) }

    func orphans(in tables: [String]) throws(StoreError) -> Set<String>? {
        try DanglingReferences(connection).descriptions(in: Set(tables))
    }

    func physicalSchema() throws(StoreError) -> PhysicalSchema { try connection.liveSchema() }

    func expectedSchema(for tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try connection.newStoreSchema(of: tables)
    }

    // MARK: Copies

    func backUp(to path: String) throws(StoreError) -> Bool {
        try StoreFileCopy(of: file, configuration).writeUnlessExists(to: path)
    }

    func close() {
        lock.unlock()
        connection.close()
    }
}
#endif

#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// The connection by which a store in a file is migrated.
///
/// State: its connection and the lock, used by one thread at a time.
final class SQLiteMigrationConnection: MigrationConnection {
    let spelling = MigrationDialect.sqlite
    private let configuration: SQLiteConfiguration
    private let file: StoreFile
    private let connection: SQLiteConnection
    private let lock: MigrationLock

    init(_ configuration: SQLiteConfiguration) throws(StoreError) {
        guard let path = configuration.path else {
            throw StoreError(
                .unsupportedRequest,
                "A store in memory is made anew each time it is opened, with the model of the program.",
                remedy: "Name a file.")
        }
        file = try StoreFile(path)
        guard file.exists else {
            throw StoreError(
                .storeNotFound, "There is no store at “\(file.path)”.", remedy: "Correct the path.")
        }
        guard configuration.mode != .read else {
            throw StoreError(
                .readOnly, "The store is opened for reading only, and can't be migrated.",
                remedy: "Open it with mode=rw.")
        }
        try file.checkHeader(configuration.seams)
        self.configuration = configuration
        connection = try SQLiteConnection.open(.readAndWrite, file, configuration)
        try StoreHeader(asking: connection).check(file)
        lock = MigrationLock(of: file)
    }

    // MARK: Lock

    func tryLock() throws(StoreError) -> Bool { try lock.tryLock() }
    func lockHolder() -> String? { lock.holder }
    func unlock() { lock.unlock() }

    // MARK: Transactions

    /// Inside of a transaction the setting would be taken in silence and do nothing; dropping a table would then delete what refers to it.
    func begin() throws(StoreError) {
        try execute("PRAGMA foreign_keys = 0")
        guard try connection.integer("PRAGMA foreign_keys") == 0 else {
            throw StoreError(
                .database, "SQLite can't be kept from following references while tables are made anew.")
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

    func execute(_ sql: String) throws(StoreError) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        while try statement.step() {}
    }

    func run(_ text: SQLText) throws(StoreError) {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        try statement.run()
    }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var rows: [[StoredValue]] = []
        while try statement.step() {
            var row: [StoredValue] = []
            for (place, type) in types.enumerated() { row.append(try statement.value(Int32(place), type)) }
            rows.append(row)
        }
        return rows
    }

    private func texts(_ sql: String, _ width: Int) throws(StoreError) -> [[String]] {
        try rows(SQLText(sql, []), Array(repeating: .text, count: width)).map { row in
            row.map { if case .string(let text) = $0 { text } else { "" } }
        }
    }

    // MARK: What is there

    func foreignObjects(besides own: [TableSchema]) throws(StoreError) -> [ForeignObject] {
        let names = Set(own.flatMap(\.indexes).map(\.name))
        let rows = try texts(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'table' ORDER BY rowid",
            4)
        return rows.compactMap { row in
            guard let kind = ForeignObject.Kind(rawValue: row[0]), !names.contains(row[1]) else { return nil }
            return ForeignObject(kind, name: row[1], table: row[2], sql: row[3])
        }
    }

    /// Triggers and views are among the foreign objects, and there is nothing else.
    func userObjects(on own: [TableSchema]) throws(StoreError) -> [String] { [] }

    /// A million rows are counted in a fraction of a second.
    func rowCount(of table: String) throws(StoreError) -> RowCount? {
        try rowCount(of: table, counting: 1_000_000)
    }

    /// - Parameter few: Up to how many rows are counted in any case; more are too, where the file was never analysed.
    func rowCount(of table: String, counting few: Int) throws(StoreError) -> RowCount? {
        let known = try count(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = \(literal(table))")
        guard known > 0 else { return nil }
        let name = SQLDialect.sqlite.quoted(table)
        let counted = try count("SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT \(few + 1))")
        if counted <= few { return RowCount(rows: counted, isEstimated: false) }
        if let estimate = try estimate(of: table), estimate > few {
            return RowCount(rows: estimate, isEstimated: true)
        }
        return RowCount(rows: try count("SELECT count(*) FROM \(name)"), isEstimated: false)
    }

    /// What SQLite has noted of a table when the file was analysed last: the number of rows comes first.
    private func estimate(of table: String) throws(StoreError) -> Int? {
        let isAnalysed = try count("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'") > 0
        guard isAnalysed else { return nil }
        let rows = try texts("SELECT stat FROM sqlite_stat1 WHERE tbl = \(literal(table))", 1)
        return rows.compactMap { $0[0].split(separator: " ").first.flatMap { Int($0) } }.max()
    }

    private func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    private func count(_ sql: String) throws(StoreError) -> Int { Int(try connection.integer(sql) ?? 0) }

    func orphans(in tables: [String]) throws(StoreError) -> Set<String>? {
        try DanglingReferences(connection).words(in: Set(tables))
    }

    func physicalSchema() throws(StoreError) -> PhysicalSchema { try SchemaReading(connection).schema() }

    func physicalSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try Self.freshSchema(of: tables)
    }

    /// The tables that a fresh store would have.
    static func freshSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        let fresh = try SQLiteConnection(path: ":memory:", access: .readAndWrite, timeout: .zero)
        defer { fresh.close() }
        let result = SQLiteFunctions.register(on: fresh.handle)
        if result != SQLITE_OK { throw fresh.error(result) }
        for table in tables {
            for text in SchemaStatements(.sqlite).creation(of: table) { try fresh.execute(text.sql) }
        }
        return try SchemaReading(fresh).schema()
    }

    // MARK: Copies

    func backUp(to path: String) throws(StoreError) -> Bool {
        try StoreFileCopy(of: file, configuration).writeUnlessTaken(to: path)
    }

    func close() {
        lock.unlock()
        connection.close()
    }
}
#endif

#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

extension SQLiteInspector: StoreRecoverer {
    func recover(to path: String) throws -> [RecoveredTable] {
        let target = try StoreFile(path)
        guard !target.exists else {
            throw StoreError(
                .inputOutput, "A file already exists at “\(path)”.",
                remedy: "Choose another path for the new store.")
        }
        guard let unfinished = try UnfinishedCopy(of: target) else {
            throw StoreError(
                .busy, "Another process is creating “\(path)”.",
                remedy: "Wait until it has finished, or choose another path.")
        }
        defer { unfinished.discard() }
        let tables = try SQLiteRecovery(source: connection, path: unfinished.file.path).recover()
        guard try unfinished.publish(target) else {
            throw StoreError(
                .inputOutput, "Another process has created a file at “\(path)”.",
                remedy: "Choose another path for the new store.")
        }
        try StoreFileCopy.sync(target.path)
        return tables
    }
}

/// Copies the readable parts of a SQLite file into an empty one: the tables, row by row, then indexes, triggers and views.
struct SQLiteRecovery {
    /// The flag in `user_version` for a file that is incomplete without its log.
    ///
    /// The new file has no log.
    private static let logFlag: Int64 = 0x1_0000

    private let source: SQLiteConnection
    private let target: SQLiteConnection

    init(source: SQLiteConnection, path: String) throws(StoreError) {
        self.source = source
        // Foreign keys are off on a new connection: rows that refer to lost rows are kept.
        target = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        let result = SQLiteFunctions.register(on: target.handle)
        if result != SQLITE_OK { throw target.error(result) }
    }

    func recover() throws(StoreError) -> [RecoveredTable] {
        defer { target.close() }
        let schema = try schema()
        let application = try source.integer("PRAGMA application_id") ?? 0
        let version = try source.integer("PRAGMA user_version") ?? 0
        try target.execute("PRAGMA page_size = \(try source.integer("PRAGMA page_size") ?? 4096)")
        try target.execute("PRAGMA application_id = \(application)")
        let isOurs = application == StoreHeader.applicationID
        try target.execute("PRAGMA user_version = \(isOurs ? version & ~Self.logFlag : version)")
        try target.begin(writing: true)
        var tables: [RecoveredTable] = []
        let shadows = try shadowTables()
        for entry in schema where entry.type == "table" && !shadows.contains(entry.name) {
            if entry.sql.uppercased().hasPrefix("CREATE VIRTUAL") {
                var table = RecoveredTable(entry.name)
                table.losses = ["Virtual tables are not recovered. Create the table again."]
                tables.append(table)
                continue
            }
            try target.execute(entry.sql)
            var recovery = try TableRecovery(source: source, target: target, name: entry.name)
            tables.append(try recovery.recover())
        }
        for entry in schema where entry.type != "table" {
            do throws(StoreError) {
                try target.execute(entry.sql)
            } catch {
                let place = tables.firstIndex { $0.name == entry.table } ?? tables.startIndex
                let words = "The \(entry.type) \(entry.name) can't be created with the recovered rows."
                if tables.indices.contains(place) { tables[place].losses.append(words) }
            }
        }
        try reportLostReferences(in: &tables)
        try target.commit()
        return tables
    }

    private func schema() throws(StoreError) -> [(type: String, name: String, table: String, sql: String)] {
        let statement = try source.statement(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
        )
        defer { statement.reset() }
        var entries: [(type: String, name: String, table: String, sql: String)] = []
        while try statement.step() {
            entries.append(
                (try statement.text(0), try statement.text(1), try statement.text(2), try statement.text(3)))
        }
        return entries
    }

    /// Returns the tables with the data of virtual tables, as far as the damaged file lists them.
    private func shadowTables() throws(StoreError) -> Set<String> {
        let statement = try source.statement("SELECT name FROM pragma_table_list WHERE type = 'shadow'")
        defer { statement.reset() }
        var names: Set<String> = []
        while try statement.step() { names.insert(try statement.text(0)) }
        return names
    }

    private func reportLostReferences(in tables: inout [RecoveredTable]) throws(StoreError) {
        let statement = try target.statement(
            "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1")
        defer { statement.reset() }
        while try statement.step() {
            let name = try statement.text(0)
            guard let place = tables.firstIndex(where: { $0.name == name }) else { continue }
            tables[place].losses.append(
                "\(statement.integer(1)) of its references refer to lost rows: run 'storectl check'."
            )
        }
    }
}

/// Copies the readable rows of one table.
///
/// It reads rows by ascending key up to the first unreadable page, then by descending key down to the last one. The range between them is
/// bisected. Indexes that contain all columns provide rows that the table doesn't.
struct TableRecovery {
    /// The number of failed reads after which the rest of a damaged range is skipped, since keys can be 64 bits apart.
    private static let probeLimit = 200_000
    /// The number of lost keys that the report lists.
    private static let reportedKeyLimit = 20

    private let source: SQLiteConnection
    private let target: SQLiteConnection
    private let name: String
    private let quoted: String
    private let columns: [String]
    private let keys: [String]
    private let insertion: SQLiteStatement
    /// The statement that finds a row of the new table by its key, or nil if the table has no key.
    private let search: SQLiteStatement?
    /// The indices of the key's columns among all columns.
    private let keyIndices: [Int]
    private var refusals = RefusedRows()

    init(source: SQLiteConnection, target: SQLiteConnection, name: String) throws(StoreError) {
        (self.source, self.target, self.name) = (source, target, name)
        quoted = SQLDialect.sqlite.quoted(name)
        // The columns are read from the new table, because the damaged file's schema may be unreadable.
        var found: [(name: String, key: Int64)] = []
        let statement = try target.statement("PRAGMA table_xinfo(\(quoted))")
        defer { statement.reset() }
        while try statement.step() {
            // Generated columns can't be written.
            if statement.integer(6) != 0 { continue }
            found.append((SQLDialect.sqlite.quoted(try statement.text(1)), statement.integer(5)))
        }
        columns = found.map(\.name)
        keys = found.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name)
        keyIndices = keys.compactMap(columns.firstIndex)
        let places = found.map { _ in "?" }.joined(separator: ", ")
        insertion = try target.statement(
            "INSERT INTO \(quoted) (\(columns.joined(separator: ", "))) VALUES (\(places))")
        let condition = keys.map { "\($0) = ?" }.joined(separator: " AND ")
        search = keys.isEmpty ? nil : try target.statement("SELECT 1 FROM \(quoted) WHERE \(condition)")
    }

    mutating func recover() throws(StoreError) -> RecoveredTable {
        var table = RecoveredTable(name)
        let isWhole: Bool
        if hasRowid {
            var failures = 0
            isWhole = try copy(.min, .max, &failures)
        } else {
            isWhole = try copyFromBothEnds()
        }
        if !isWhole {
            let before = try count()
            let indexes = try indexes()
            // Without a key, duplicates of copied rows can't be detected.
            for index in indexes where !keys.isEmpty && Set(columns).isSubset(of: index.columns) {
                try copy(from: index.name)
            }
            table.rowsFromIndexes = try count() - before
            table.losses = try losses(indexes.first { !$0.isPartial }?.name)
        }
        table.losses += refusals.losses
        table.rows = try count()
        return table
    }

    private var hasRowid: Bool { (try? target.statement("SELECT rowid FROM \(quoted) LIMIT 0")) != nil }

    private func count() throws(StoreError) -> Int {
        Int(try target.integer("SELECT count(*) FROM \(quoted)") ?? 0)
    }

    // MARK: Reading

    /// Copies the rows with keys in a range, and returns whether the whole range was readable.
    private mutating func copy(_ low: Int64, _ high: Int64, _ failures: inout Int) throws(StoreError) -> Bool
    {
        let words = "SELECT rowid, \(columns.joined(separator: ", ")) FROM \(quoted) NOT INDEXED"
        let range = "WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        let up = try copyRows("\(words) \(range)", [low, high], offset: 1)
        if up.isWhole { return true }
        failures += 1
        let first = up.last.map { $0 &+ 1 } ?? low
        if first >= high || failures > Self.probeLimit { return false }
        let down = try copyRows("\(words) \(range) DESC", [first, high], offset: 1)
        // If the descending scan reached the page at which the ascending one failed, nothing is left between them.
        let last = down.last.map { $0 &- 1 } ?? high
        if down.isWhole || first >= last { return false }
        let middle = first + Int64((UInt64(bitPattern: last) &- UInt64(bitPattern: first)) / 2)
        _ = try copy(first, middle, &failures)
        _ = try copy(middle + 1, last, &failures)
        return false
    }

    private mutating func copyFromBothEnds() throws(StoreError) -> Bool {
        let words = "SELECT \(columns.joined(separator: ", ")) FROM \(quoted) ORDER BY "
        if try copyRows(words + keys.joined(separator: ", "), []).isWhole { return true }
        _ = try copyRows(words + keys.map { $0 + " DESC" }.joined(separator: ", "), [])
        return false
    }

    private mutating func copy(from index: String) throws(StoreError) {
        let name = SQLDialect.sqlite.quoted(index)
        let words = "SELECT \(columns.joined(separator: ", ")) FROM \(quoted) INDEXED BY \(name) ORDER BY 1"
        _ = try copyRows(words, [])
        _ = try copyRows(words + " DESC", [])
    }

    /// Copies rows to the end, or to the first unreadable row.
    ///
    /// - Parameter offset: The number of result columns before those that are copied.
    private mutating func copyRows(
        _ sql: String, _ keys: [Int64], offset: Int32 = 0
    ) throws(StoreError) -> (last: Int64?, isWhole: Bool) {
        let selection = try source.statement(sql)
        defer { selection.reset() }
        for (place, key) in keys.enumerated() { selection.bind(Int32(place + 1), key) }
        var last: Int64?
        while true {
            do throws(StoreError) {
                guard try selection.step() else { return (last, true) }
            } catch {
                guard error.code == .corrupt || error.code == .inputOutput else { throw error }
                return (last, false)
            }
            if offset > 0 { last = selection.integer(0) }
            for column in 0..<Int32(columns.count) {
                sqlite3_bind_value(
                    insertion.handle, column + 1, sqlite3_column_value(selection.handle, column + offset))
            }
            try insert(selection, offset: offset)
        }
    }

    /// Inserts a row unless it exists or violates a constraint; a damaged value may have another type, or be null.
    private mutating func insert(_ selection: SQLiteStatement, offset: Int32) throws(StoreError) {
        defer { insertion.reset() }
        do throws(StoreError) {
            try insertion.run()
        } catch {
            guard sqlite3_errcode(target.handle) & 0xFF == SQLITE_CONSTRAINT else { throw error }
            let reason = String(cString: sqlite3_errmsg(target.handle))
            if try isSaved(selection, offset: offset) { return }
            let key = keyIndices.map { place in
                sqlite3_column_text(selection.handle, Int32(place) + offset).map { String(cString: $0) }
                    ?? "NULL"
            }
            refusals.add(key.joined(separator: "/"), reason)
        }
    }

    private func isSaved(_ selection: SQLiteStatement, offset: Int32) throws(StoreError) -> Bool {
        guard let search else { return false }
        defer { search.reset() }
        for (parameter, place) in keyIndices.enumerated() {
            sqlite3_bind_value(
                search.handle, Int32(parameter) + 1,
                sqlite3_column_value(selection.handle, Int32(place) + offset))
        }
        return try search.step()
    }

    // MARK: Losses

    private struct Index {
        let name: String
        let isPartial: Bool
        /// The quoted names of its columns.
        let columns: Set<String>
    }

    /// Returns the indexes of the table, as far as the damaged file lists them.
    private func indexes() throws(StoreError) -> [Index] {
        var list: [(name: String, isPartial: Bool)] = []
        let statement = try source.statement("PRAGMA index_list(\(quoted))")
        defer { statement.reset() }
        while try statement.step() {
            // In a WITHOUT ROWID table the index of the primary key is the table itself.
            if try statement.text(3) == "pk", !hasRowid { continue }
            list.append((try statement.text(1), statement.integer(4) != 0))
        }
        var indexes: [Index] = []
        for (name, isPartial) in list {
            let parts = try source.statement("PRAGMA index_xinfo(\(SQLDialect.sqlite.quoted(name)))")
            defer { parts.reset() }
            var columns = Set(hasRowid && keys.count == 1 ? keys : [])
            while try parts.step() {
                if !parts.isNull(2) { columns.insert(SQLDialect.sqlite.quoted(try parts.text(2))) }
            }
            indexes.append(Index(name: name, isPartial: isPartial, columns: columns))
        }
        return indexes
    }

    /// Describes the rows in an index that the new table lacks; without an index their number is unknown.
    private func losses(_ index: String?) throws(StoreError) -> [String] {
        guard let index, hasRowid, keys.count == 1 else {
            return ["A part of the table can't be read. The number of lost rows is unknown."]
        }
        let known = try target.statement("SELECT 1 FROM \(quoted) WHERE rowid = ?")
        var lost: [Int64] = []
        var isWhole = true
        let statement = try source.statement(
            "SELECT rowid FROM \(quoted) INDEXED BY \(SQLDialect.sqlite.quoted(index))")
        defer { statement.reset() }
        do throws(StoreError) {
            while try statement.step() {
                known.bind(1, statement.integer(0))
                defer { known.reset() }
                let isSaved = try known.step()
                if !isSaved { lost.append(statement.integer(0)) }
            }
        } catch {
            isWhole = false
        }
        let least = isWhole ? "" : "At least "
        if lost.isEmpty {
            return isWhole ? [] : ["A part of the table can't be read. The number of lost rows is unknown."]
        }
        let named = lost.sorted().prefix(Self.reportedKeyLimit).map(String.init).joined(separator: ", ")
        let more = lost.count > Self.reportedKeyLimit ? ", …" : ""
        let rows = lost.count.counted("row is", "rows are")
        return ["\(least)\(rows) lost: \(named)\(more)."]
    }
}

/// Rows that were read but violate constraints of the new table.
private struct RefusedRows {
    private static let reportedKeyLimit = 20

    /// The keys without duplicates, because a row can be read several times.
    private var keys: Set<String> = []
    private var named: [String] = []
    private var reason = ""

    mutating func add(_ key: String, _ reason: String) {
        guard keys.insert(key).inserted else { return }
        if named.isEmpty { self.reason = reason }
        if named.count < Self.reportedKeyLimit { named.append(key) }
    }

    /// The lost rows as a sentence.
    var losses: [String] {
        if keys.isEmpty { return [] }
        let more = keys.count > named.count ? ", …" : ""
        let rows = keys.count.counted("row is", "rows are")
        return ["\(rows) damaged and lost (\(reason)): \(named.joined(separator: ", "))\(more)."]
    }
}
#endif

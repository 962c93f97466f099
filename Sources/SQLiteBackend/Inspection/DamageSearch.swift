#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Checks a SQLite file for damage, and names the damaged pages and tables.
struct DamageSearch {
    /// The maximum number of findings for the file and for each table.
    private static let limit = 100

    let connection: SQLiteConnection

    /// Returns a sentence for each finding, including parts of the file that can't be read.
    func findings() throws(StoreError) -> [String] {
        var findings = try check(nil)
        if !findings.isEmpty { findings += try damagedTables() }
        return findings + (try lostReferences())
    }

    /// Runs SQLite's integrity check of the file, or of one table and its indexes.
    private func check(_ table: String?) throws(StoreError) -> [String] {
        let argument = table.map { SQLDialect.sqlite.quoted($0) } ?? String(Self.limit)
        var findings: [String] = []
        let unreadable = try reportingDamage("The file") { () throws(StoreError) in
            let statement = try connection.statement("PRAGMA integrity_check(\(argument))")
            defer { statement.reset() }
            while try statement.step() {
                // The first row of a damaged b-tree has a heading, and then one finding per line.
                findings += try statement.text(0).split(separator: "\n").map(String.init)
                    .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
            }
            return []
        }
        return findings + unreadable
    }

    /// Checks which tables are damaged.
    private func damagedTables() throws(StoreError) -> [String] {
        var tables: [String] = []
        let unreadable = try reportingDamage("The list of tables") { () throws(StoreError) in
            let statement = try connection.statement(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
            defer { statement.reset() }
            while try statement.step() { tables.append(try statement.text(0)) }
            return []
        }
        var findings = unreadable
        for table in tables {
            let own = try check(table)
            if let first = own.first {
                findings.append("The table \(table) or one of its indexes is damaged: \(first)")
            }
        }
        return findings
    }

    private func lostReferences() throws(StoreError) -> [String] {
        var findings: [String] = []
        let unreadable = try reportingDamage("A table") { () throws(StoreError) in
            let statement = try connection.statement("PRAGMA foreign_key_check")
            defer { statement.reset() }
            while try statement.step() {
                let row = statement.isNull(1) ? "" : " \(statement.integer(1))"
                findings.append(
                    "Row\(row) of table \(try statement.text(0)) refers to a row that is missing in \(try statement.text(2))."
                )
            }
            return []
        }
        return findings + unreadable
    }

    /// Converts an error from damaged data into a finding.
    private func reportingDamage(
        _ what: String, _ body: () throws(StoreError) -> [String]
    ) throws(StoreError) -> [String] {
        do throws(StoreError) {
            return try body()
        } catch StoreError.Code.corrupt {
            return [
                "\(what) can't be read completely: \(String(cString: sqlite3_errmsg(connection.handle)))."
            ]
        }
    }
}
#endif

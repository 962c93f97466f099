#if SQLite
import CSQLite
import ContextCore
import SQLStore

extension ForeignDatabase: ForeignTableReader {
    var spelling: ForeignSpelling {
        var spelling = ForeignSpelling(
            parameterPrefix: "?", schema: nil, hasInheritance: false, temporarySchema: "temp",
            isListed: { "\($0) IN (SELECT value FROM json_each('[' || ?1 || ']'))" },
            isNotWhole: { "typeof(\($0)) <> 'integer'" },
            value: { column, alias in "\(alias).\(ForeignSpelling.quoted(column.name))" })
        spelling.isNumber = { "typeof(\($0)) IN ('integer', 'real')" }
        return spelling
    }

    func isStore() throws -> Bool {
        let name = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?1"
        let found = try rows(name, .string(StoreNames.metadata))
        return !found.isEmpty
    }

    func structures() throws -> [TableStructure] { try StructureReader(connection: connection).structures() }

    func otherSchemas() -> [String] { [] }

    func rowAddress(of table: TableStructure) throws -> [String]? {
        let names = Set(table.columns.map { $0.name.lowercased() })
        guard let name = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) else { return nil }
        do {
            _ = try rows("SELECT \(name) FROM \(ForeignSpelling.quoted(table.name)) LIMIT 0")
            return [name]
        } catch let error as StoreError where error.code == .database {
            // The table is declared WITHOUT ROWID.
            return nil
        }
    }

    func makeTable(_ name: String, from query: String, uniqueColumns: [[String]]) throws {
        // The connection itself is read-only. Without these settings it has no temporary tables, or only in memory.
        try connection.execute("PRAGMA query_only = 0")
        try connection.execute("PRAGMA temp_store = 1")
        try connection.execute("CREATE TEMP TABLE \(ForeignSpelling.quoted(name)) AS \(query)")
        for (index, columns) in uniqueColumns.enumerated() {
            let list = columns.map(ForeignSpelling.quoted).joined(separator: ", ")
            try connection.execute(
                """
                CREATE UNIQUE INDEX temp.\(ForeignSpelling.quoted("\(name)_\(index)")) \
                ON \(ForeignSpelling.quoted(name)) (\(list))
                """)
        }
    }

    func makeReadOnly() throws { try connection.execute("PRAGMA query_only = 1") }
}
#endif

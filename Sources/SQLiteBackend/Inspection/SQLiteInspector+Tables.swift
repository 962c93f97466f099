#if SQLite
import ContextCore
import SQLStore

extension SQLiteInspector {
    func tables() throws -> [TableFacts] {
        let roles = try roles()
        let sizes = try sizes()
        let indexes = try indexes(sizes)
        return try texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        ).map { name in
            TableFacts(
                name: name, role: roles[name] ?? .other, bytes: sizes.map { $0[name] ?? 0 },
                indexes: indexes[name] ?? [])
        }
    }

    /// Returns the number of bytes of each table and index, or nil if SQLite was built without dbstat.
    private func sizes() throws(StoreError) -> [String: Int64]? {
        let known = "SELECT count(*) FROM pragma_compile_options WHERE compile_options = 'ENABLE_DBSTAT_VTAB'"
        guard try connection.integer(known) == 1 else { return nil }
        let statement = try connection.statement("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
        defer { statement.reset() }
        var sizes: [String: Int64] = [:]
        while try statement.step() { sizes[try statement.text(0)] = statement.integer(1) }
        return sizes
    }

    private func indexes(_ sizes: [String: Int64]?) throws(StoreError) -> [String: [TableFacts.Index]] {
        let statement = try connection.statement(
            """
            SELECT s.tbl_name, s.name, l."unique", coalesce(s.sql, ''), \
            (SELECT group_concat(name, ', ') FROM pragma_index_info(s.name)) \
            FROM sqlite_schema AS s JOIN pragma_index_list(s.tbl_name) AS l ON l.name = s.name \
            WHERE s.type = 'index' ORDER BY s.name
            """)
        defer { statement.reset() }
        var indexes: [String: [TableFacts.Index]] = [:]
        while try statement.step() {
            let (table, name) = (try statement.text(0), try statement.text(1))
            let (sql, columns) = (try statement.text(3), try statement.text(4))
            indexes[table, default: []].append(
                TableFacts.Index(
                    name: name, definition: sql.isEmpty ? "(\(columns))" : Self.columns(of: sql),
                    isUnique: statement.integer(2) != 0, bytes: sizes.map { $0[name] ?? 0 }))
        }
        return indexes
    }

    /// Returns the purpose of each table of a store, or an empty dictionary for other databases.
    private func roles() throws -> [String: TableFacts.Role] {
        let models: [StoredModel]
        do {
            models = try self.models()
        } catch StoreError.Code.notAStore {
            return [:]
        }
        let catalog = StoreCatalog(connection: connection)
        return try StoreTableMappings(
            models: models, run: catalog.value(of: StoreTableMappings.runKey),
            done: catalog.value(of: StoreTableMappings.doneKey),
            numbers: catalog.entityNumbers(of: ObjectModel(currentAmong: models)), maximumNameLength: nil
        ).roles
    }

    /// Returns the columns from the statement that created an index.
    private static func columns(of sql: String) -> String {
        sql.firstIndex(of: "(").map { String(sql[$0...]) } ?? sql
    }
}
#endif

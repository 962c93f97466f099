#if Postgres
import ContextCore
import SQLStore

extension PostgresInspector {
    func tables() throws -> [TableFacts] {
        let connection = try connection()
        let roles = try storeMappings()?.roles ?? [:]
        let indexes = try indexes(connection)
        let result = try connection.run(
            """
            SELECT c.relname::text, pg_table_size(c.oid) FROM pg_class AS c \
            JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') ORDER BY c.relname::text COLLATE "C"
            """, schemaParameter)
        return (0..<result.count).map { row in
            let name = result.text(row, 0)
            return TableFacts(
                name: name, role: roles[name] ?? .other, bytes: result.integer(row, 1),
                indexes: indexes[name] ?? [])
        }
    }

    /// Returns the mappings of the store's tables; nil if the schema contains no store.
    func storeMappings() throws -> StoreTableMappings? {
        let models: [StoredModel]
        do {
            models = try self.models()
        } catch StoreError.Code.notAStore {
            return nil
        }
        let catalog = StoreCatalog(connection: try connection())
        return try StoreTableMappings(
            models: models, run: catalog.value(of: StoreTableMappings.runKey),
            done: catalog.value(of: StoreTableMappings.doneKey), numbers: catalog.entityNumbers(),
            maximumNameLength: SQLDialect.postgres.maximumNameLength)
    }

    private func indexes(_ connection: PostgresConnection) throws(StoreError) -> [String: [TableFacts.Index]]
    {
        let result = try connection.run(
            """
            SELECT t.relname::text, i.relname::text, x.indisunique, pg_relation_size(i.oid), pg_get_indexdef(i.oid) \
            FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid \
            JOIN pg_namespace AS n ON n.oid = t.relnamespace WHERE n.nspname = $1 ORDER BY i.relname::text COLLATE "C"
            """, schemaParameter)
        var indexes: [String: [TableFacts.Index]] = [:]
        for row in 0..<result.count {
            let definition = result.text(row, 4)
            indexes[result.text(row, 0), default: []].append(
                TableFacts.Index(
                    name: result.text(row, 1),
                    definition: definition.firstIndex(of: "(").map { String(definition[$0...]) }
                        ?? definition,
                    isUnique: result.integer(row, 2) != 0, bytes: result.integer(row, 3)))
        }
        return indexes
    }
}
#endif

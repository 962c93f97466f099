/// The tables of the store's own data.
package enum StoreTables {
    /// All tables.
    package static let all = [metadata, models, entities, keys, history, migrations]

    /// The store's identity, and the metadata of programs: one row per name.
    static let metadata = TableSchema(
        StoreNames.metadata, columns: [ColumnSchema("name", .text), ColumnSchema("value", .text)],
        primaryKey: ["name"])

    /// The models that the store was created and migrated with; the last one is in force.
    static let models = TableSchema(
        StoreNames.models,
        columns: [
            ColumnSchema("number", .key, isPrimaryKey: true), ColumnSchema("fingerprint", .text),
            ColumnSchema("model", .text),
        ])

    /// The entity numbers that rows and the history contain.
    static let entities = TableSchema(
        StoreNames.entities,
        columns: [ColumnSchema("number", .key, isPrimaryKey: true), ColumnSchema("name", .text)])

    /// The next free key of each inheritance tree, by the number of its root entity.
    static let keys = TableSchema(
        StoreNames.keys,
        columns: [ColumnSchema("entity", .key, isPrimaryKey: true), ColumnSchema("next", .integer(bits: 64))])

    /// One row per save: its position, the marker that proves its commit, and what it changed.
    static let history = TableSchema(
        StoreNames.history,
        columns: [
            ColumnSchema("sequence", .key, isPrimaryKey: true), ColumnSchema("mark", .integer(bits: 64)),
            ColumnSchema("date", .date), ColumnSchema("author", .text, isNullable: true),
            ColumnSchema("context", .text, isNullable: true),
            ColumnSchema("changes", .data, isNullable: true),
        ])

    /// One row per migration.
    static let migrations = TableSchema(
        StoreNames.migrations,
        columns: [
            ColumnSchema("number", .key, isPrimaryKey: true), ColumnSchema("name", .text),
            ColumnSchema("date", .date), ColumnSchema("detail", .text, isNullable: true),
        ])
}

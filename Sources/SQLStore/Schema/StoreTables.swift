/// The tables that a store keeps for itself.
package enum StoreTables {
    /// All of them.
    package static let all = [metadata, models, entities, keys, history, migrations]

    /// Who the store is, and what a program noted about it: one row a note.
    static let metadata = TableSchema(
        StoreNames.metadata, columns: [ColumnSchema("name", .text), ColumnSchema("value", .text)],
        primaryKey: ["name"])

    /// The models that the store was made and migrated with, the last one being in force.
    static let models = TableSchema(
        StoreNames.models,
        columns: [
            ColumnSchema("number", .key, isPrimaryKey: true), ColumnSchema("fingerprint", .text),
            ColumnSchema("model", .text),
        ])

    /// The numbers that stand for entities in rows and in the history.
    static let entities = TableSchema(
        StoreNames.entities,
        columns: [ColumnSchema("number", .key, isPrimaryKey: true), ColumnSchema("name", .text)])

    /// The next free key of each inheritance tree, by the number of its uppermost entity.
    static let keys = TableSchema(
        StoreNames.keys,
        columns: [ColumnSchema("entity", .key, isPrimaryKey: true), ColumnSchema("next", .integer(bits: 64))])

    /// One row a save: the store's clock, the proof that it was committed, and what it changed.
    static let history = TableSchema(
        StoreNames.history,
        columns: [
            ColumnSchema("sequence", .key, isPrimaryKey: true), ColumnSchema("mark", .integer(bits: 64)),
            ColumnSchema("date", .date), ColumnSchema("author", .text, isNullable: true),
            ColumnSchema("context", .text, isNullable: true),
            ColumnSchema("changes", .data, isNullable: true),
        ])

    /// One row a migration.
    static let migrations = TableSchema(
        StoreNames.migrations,
        columns: [
            ColumnSchema("number", .key, isPrimaryKey: true), ColumnSchema("name", .text),
            ColumnSchema("date", .date), ColumnSchema("detail", .text, isNullable: true),
        ])
}

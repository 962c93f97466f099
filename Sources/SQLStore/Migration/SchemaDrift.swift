import ContextCore

/// Compares the tables that a store should have with those that it has.
///
/// Names, columns and whether they may hold nothing, and the names of indexes are compared. What isn't the store's own is left out.
struct SchemaDrift {
    let expected: [TableSchema]
    let live: [LiveTable]

    /// The differences, a sentence each.
    var sentences: [String] {
        expected.flatMap { table -> [String] in
            guard let found = live.first(where: { $0.name == table.name }) else {
                return ["The table \(table.name) is missing."]
            }
            return columns(table, found) + indexes(table, found)
        }
    }

    private func columns(_ table: TableSchema, _ found: LiveTable) -> [String] {
        let wanted = Set(
            table.columns.map { column in
                let isKey = column.isPrimaryKey || table.primaryKey.contains(column.name)
                return LiveTable.Column(column.name, isNullable: column.isNullable && !isKey)
            })
        let missing = wanted.subtracting(found.columns).sorted { $0.name.precedes($1.name) }
        let further = found.columns.subtracting(wanted).sorted { $0.name.precedes($1.name) }
        return missing.map { column in
            further.contains { $0.name == column.name }
                ? "The column \(table.name).\(column.name) \(column.isNullable ? "must have a value" : "may have no value"), and shouldn't."
                : "The column \(table.name).\(column.name) is missing."
        }
            + further.filter { column in !missing.contains { $0.name == column.name } }.map {
                "The column \(table.name).\($0.name) is not the model's."
            }
    }

    private func indexes(_ table: TableSchema, _ found: LiveTable) -> [String] {
        table.indexes.map(\.name).filter { !found.indexes.contains($0) }.sorted { $0.precedes($1) }.map {
            "The index \($0) of \(table.name) is missing."
        }
    }
}

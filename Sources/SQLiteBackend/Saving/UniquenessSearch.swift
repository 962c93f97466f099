#if SQLite
import ContextCore
import SQLStore

/// Finds the rows that have the same values of unique constraints as another.
struct UniquenessSearch {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// A conflict for each constraint that a row breaks.
    func conflicts(of batch: RowBatch, row: Int, entityIndex: Int) throws(StoreError) -> [RowConflict] {
        let entity = store.mapping.entities[entityIndex]
        var conflicts: [RowConflict] = []
        for constraint in entity.layout.uniqueConstraints {
            if constraint.columns.contains(where: { batch.isNull($0, at: row) }) { continue }
            guard let other = try other(of: batch, row, constraint, entity) else { continue }
            conflicts.append(
                RowConflict(
                    entityIndex: entityIndex, key: batch.key(at: row),
                    reason: .duplicate(constraint: constraint.names, otherKey: other)))
        }
        return conflicts
    }

    private func other(
        of batch: RowBatch, _ row: Int, _ constraint: UniqueColumns, _ entity: EntityMapping
    ) throws(StoreError) -> Int64? {
        let declaring = store.mapping.entities[constraint.entityIndex]
        let family = declaring.layout.familyIndices.map { store.mapping.entities[$0].number }
        let text = RowStatements(.sqlite).search(
            in: entity, columns: constraint.columns,
            entities: declaring.layout.rootIndex == declaring.layout.index ? nil : family)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        statement.bind(1, batch.key(at: row))
        try RowBinding(entity, columns: constraint.columns).bind(batch, row: row, to: statement, from: 2)
        return try statement.step() ? statement.integer(0) : nil
    }
}
#endif

#if Postgres
import ContextCore
import SQLStore

extension ChangeSetWriter {
    func upsertRows(
        _ group: BatchUpsert.Group, matching constraint: UniqueColumns?, into entity: EntityMapping
    ) throws(StoreError) -> [[Int64]] {
        let entityIndex = entity.layout.index
        let columns = store.rowColumns[entityIndex]
        let sql = store.texts.text(
            .upsert(entityIndex: entityIndex, columns: group.columns, constraint, isSingle: false)
        ) {
            arrays(of: entityIndex).upsert(
                UpsertClause(group.columns, matching: constraint, of: entity, in: store.mapping))
        }
        var written: [[Int64]] = Array(repeating: [], count: entity.hasEntityColumn ? 2 : 1)
        for part in columns.chunks(group.rows) {
            var parameters = PostgresParameters()
            parameters.append(keys: part.lazy.map { group.rows.key(at: $0) })
            parameters.append(keys: part.lazy.map { group.rows.version(at: $0) })
            try columns.append(group.rows, rows: part, to: &parameters)
            let result = try connection.run(sql, parameters)
            for place in written.indices { written[place] += result.integers(place) }
        }
        return written
    }
}
#endif

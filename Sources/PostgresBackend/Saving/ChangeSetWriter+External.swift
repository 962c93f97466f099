#if Postgres
import ContextCore
import SQLStore

extension ChangeSetWriter {
    func writeExternalValues(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError) {
        for part in parts where !part.externalRows.isEmpty {
            let columns = RowColumns(entity, columns: [part.column])
            let sql = arrays(of: entity.layout.index).externalValueUpsert(
                of: part.external, column: part.column
            ).sql
            try part.batches(maximumBytes: RowColumns.maximumBytes, store.model) { batch throws(StoreError) in
                for rows in columns.chunks(batch) {
                    var parameters = PostgresParameters()
                    parameters.append(keys: rows.lazy.map { batch.key(at: $0) })
                    parameters.append(keys: rows.lazy.map { batch.version(at: $0) })
                    try columns.append(batch, rows: rows, to: &parameters)
                    try connection.sendInPipeline(sql, parameters)
                }
            }
            let stampUpdate = RowStatements(store.dialect).stampUpdate(
                part.external, of: entity, where: store.dialect.isAmongKeys(Self.keys))
            try sendInPipeline(stampUpdate.sql, part.externalRows.map { part.source.key(at: $0) })
        }
    }

    func deleteReplacedExternalValues(_ parts: [ExternalValues.Part], of entity: EntityMapping)
        throws(StoreError)
    {
        let texts = RowStatements(store.dialect)
        let condition = store.dialect.isAmongKeys(Self.keys)
        for part in parts where !part.inlineRows.isEmpty {
            let keys = part.inlineRows.map { part.source.key(at: $0) }
            try sendInPipeline(texts.stampRemoval(part.external, of: entity, where: condition).sql, keys)
            try sendInPipeline(texts.removal(of: part.external, where: condition).sql, keys)
        }
    }

    private func sendInPipeline(_ sql: String, _ keys: [Int64]) throws(StoreError) {
        for part in RowColumns.chunks(keys.count) {
            try connection.sendInPipeline(sql, SessionReader.keys(keys[part]))
        }
    }

    private static let keys: SQLFragment = "\(.parameter(.keys))"
}
#endif

#if Postgres
import ContextCore
import SQLStore

extension ChangeSetWriter {
    func place(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError) {
        for part in parts where !part.outside.isEmpty {
            let columns = RowColumns(entity, columns: [part.column])
            let sql = arrays(of: entity.layout.index).placement(of: part.external, column: part.column).sql
            try part.batches(mostBytes: RowColumns.mostBytes, store.model) { batch throws(StoreError) in
                for rows in columns.chunks(batch) {
                    var parameters = PostgresParameters()
                    parameters.append(keys: rows.lazy.map { batch.key(at: $0) })
                    parameters.append(keys: rows.lazy.map { batch.version(at: $0) })
                    try columns.append(batch, rows: rows, to: &parameters)
                    try connection.post(sql, parameters)
                }
            }
            let stamping = RowStatements(store.dialect).stamping(
                part.external, of: entity, where: store.dialect.isAmongKeys(Self.keys))
            try post(stamping.sql, part.outside.map { part.source.key(at: $0) })
        }
    }

    func displace(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError) {
        let texts = RowStatements(store.dialect)
        let condition = store.dialect.isAmongKeys(Self.keys)
        for part in parts where !part.inside.isEmpty {
            let keys = part.inside.map { part.source.key(at: $0) }
            try post(texts.clearing(part.external, of: entity, where: condition).sql, keys)
            try post(texts.removal(of: part.external, where: condition).sql, keys)
        }
    }

    private func post(_ sql: String, _ keys: [Int64]) throws(StoreError) {
        for part in RowColumns.chunks(keys.count) {
            try connection.post(sql, SessionReader.keys(keys[part]))
        }
    }

    private static let keys: SQLFragment = "\(.place(.keys))"
}
#endif

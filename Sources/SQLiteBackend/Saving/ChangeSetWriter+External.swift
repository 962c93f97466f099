#if SQLite
import ContextCore
import SQLStore

extension ChangeSetWriter {
    func writeExternalValues(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError) {
        let texts = RowStatements(.sqlite)
        for part in parts where !part.externalRows.isEmpty {
            let binding = RowBinding(entity, columns: [part.column])
            let upsert = texts.externalValueUpsert(of: part.external, entity.columns[part.column].type).sql
            let statement = try connection.statement(upsert)
            defer { statement.reset() }
            for row in part.externalRows {
                statement.bind(1, part.source.key(at: row))
                statement.bind(2, part.source.version(at: row))
                try binding.bind(part.source, row: row, to: statement, from: 3)
                try statement.run()
                statement.rewind()
            }
            let stampUpdate = texts.stampUpdate(part.external, of: entity, where: Self.isKey)
            try run(stampUpdate.sql, part.externalRows.map { part.source.key(at: $0) }) { $1.bind(1, $0) }
        }
    }

    func deleteReplacedExternalValues(_ parts: [ExternalValues.Part], of entity: EntityMapping)
        throws(StoreError)
    {
        let texts = RowStatements(.sqlite)
        for part in parts where !part.inlineRows.isEmpty {
            let stampRemoval = texts.stampRemoval(part.external, of: entity, where: Self.isKey)
            let cleared = try run(stampRemoval.sql, part.inlineRows.map { part.source.key(at: $0) }) {
                $1.bind(1, $0)
            }
            try run(texts.removal(of: part.external, where: Self.isKey).sql, cleared) { $1.bind(1, $0) }
        }
    }

    private static let isKey: SQLFragment = "= \(.parameter(.key))"
}
#endif

#if SQLite
import ContextCore
import SQLStore

extension ChangeSetWriter {
    func place(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError) {
        let texts = RowStatements(.sqlite)
        for part in parts where !part.outside.isEmpty {
            let binding = RowBinding(entity, columns: [part.column])
            let placement = texts.placement(of: part.external, entity.columns[part.column].type).sql
            let statement = try connection.statement(placement)
            defer { statement.reset() }
            for row in part.outside {
                statement.bind(1, part.source.key(at: row))
                statement.bind(2, part.source.version(at: row))
                try binding.bind(part.source, row: row, to: statement, from: 3)
                try statement.run()
                statement.rewind()
            }
            let stamping = texts.stamping(part.external, of: entity, where: Self.isKey)
            try run(stamping.sql, part.outside.map { part.source.key(at: $0) }) { $1.bind(1, $0) }
        }
    }

    func displace(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError) {
        let texts = RowStatements(.sqlite)
        for part in parts where !part.inside.isEmpty {
            let clearing = texts.clearing(part.external, of: entity, where: Self.isKey)
            let cleared = try run(clearing.sql, part.inside.map { part.source.key(at: $0) }) {
                $1.bind(1, $0)
            }
            try run(texts.removal(of: part.external, where: Self.isKey).sql, cleared) { $1.bind(1, $0) }
        }
    }

    private static let isKey: SQLFragment = "= \(.place(.key))"
}
#endif

#if SQLite
import ContextCore
import SQLStore

/// The frequent statements of one entity, rendered once when the store is opened.
final class EntityStatements: Sendable {
    let entity: EntityMapping
    let rowByKey: String
    let rowsByKeys: String
    /// Whether the query for many keys passes its rows to the row-gathering function.
    let gathersRows: Bool
    let insertion: String
    /// The number of rows of a multi-row insert: starting and finishing a statement takes a third of the time of a single-row insert.
    let rowsPerInsert: Int
    /// The number of placeholders of a row.
    let width: Int
    let insertionBinding: RowBinding
    /// Whether its rows can have references.
    let hasReferences: Bool
    let deletion: String
    let versionedDeletion: String
    let runDeletion: String
    let versionedRunDeletion: String

    /// The maximum number of rows of a multi-row insert; twice as many would save 3 % and take twice as long to prepare.
    private static let maximumRowsPerInsert = 16
    /// The number of parameters that every build of SQLite supports.
    private static let maximumParameters = 999

    /// - Parameter selection: All columns of the entity and its subentities.
    init(_ mapping: StoreMapping, _ index: Int, _ selection: SelectedColumns) {
        let entity = mapping.entities[index]
        self.entity = entity
        let keys = KeyStatements(mapping, .sqlite)
        rowByKey = keys.row(selection, of: index).sql
        rowsByKeys = keys.rows(selection, of: index).sql
        gathersRows = SQLDialect.sqlite.supportsGathering(selection.columns.count)
        let rows = RowStatements(.sqlite)
        insertion = rows.insertion(into: entity).sql
        width = entity.columns.count + (entity.hasEntityColumn ? 3 : 2)
        rowsPerInsert = max(1, min(Self.maximumRowsPerInsert, Self.maximumParameters / width))
        insertionBinding = RowBinding(entity, columns: Array(entity.columns.indices))
        hasReferences = entity.layout.columns.contains { $0.isReference }
        deletion = rows.deletion(from: entity, checksVersion: false).sql
        versionedDeletion = rows.deletion(from: entity, checksVersion: true).sql
        runDeletion = rows.deletionOfRun(from: entity, checksVersion: false).sql
        versionedRunDeletion = rows.deletionOfRun(from: entity, checksVersion: true).sql
    }

    /// Binds a whole row: key, version, entity number if several entities share the table, then the columns.
    func bind(
        _ batch: RowBatch, _ row: Int, to statement: SQLiteStatement, from first: Int32
    ) throws(StoreError) {
        statement.bind(first, batch.key(at: row))
        statement.bind(first + 1, batch.version(at: row))
        var next = first + 2
        if entity.hasEntityColumn {
            statement.bind(next, Int64(entity.number))
            next += 1
        }
        try insertionBinding.bind(batch, row: row, to: statement, from: next)
    }
}
#endif

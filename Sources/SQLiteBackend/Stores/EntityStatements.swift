#if SQLite
import ContextCore
import SQLStore

/// The statements of one entity that are needed again and again, spelt once when the store is opened.
final class EntityStatements: Sendable {
    let entity: EntityMapping
    let rowByKey: String
    let rowsByKeys: String
    /// Whether the rows of many keys are gathered.
    let gathersRows: Bool
    let insertion: String
    /// How many rows a statement inserts where there are many: to begin and to end one costs SQLite a third of what a row costs by
    /// itself.
    let joinedRows: Int
    /// How many placeholders a row has.
    let width: Int
    let insertionBinding: RowBinding
    /// Whether its rows may lead to others.
    let hasReferences: Bool
    let deletion: String
    let versionedDeletion: String
    let runDeletion: String
    let versionedRunDeletion: String

    /// Twice as many would save 3 % more, and take twice as long to be prepared.
    private static let mostJoinedRows = 16
    /// What every SQLite takes.
    private static let mostPlaces = 999

    /// - Parameter selection: Everything of a row, of the entity or a subentity.
    init(_ mapping: StoreMapping, _ index: Int, _ selection: SelectedColumns) {
        let entity = mapping.entities[index]
        self.entity = entity
        let keys = KeyStatements(mapping, .sqlite)
        rowByKey = keys.row(selection, of: index).sql
        rowsByKeys = keys.rows(selection, of: index).sql
        gathersRows = SQLDialect.sqlite.gathers(selection.columns.count)
        let rows = RowStatements(.sqlite)
        insertion = rows.insertion(into: entity).sql
        width = entity.columns.count + (entity.hasEntityColumn ? 3 : 2)
        joinedRows = max(1, min(Self.mostJoinedRows, Self.mostPlaces / width))
        insertionBinding = RowBinding(entity, columns: Array(entity.columns.indices))
        hasReferences = entity.layout.columns.contains { $0.isReference }
        deletion = rows.deletion(from: entity, checksVersion: false).sql
        versionedDeletion = rows.deletion(from: entity, checksVersion: true).sql
        runDeletion = rows.deletionOfRun(from: entity, checksVersion: false).sql
        versionedRunDeletion = rows.deletionOfRun(from: entity, checksVersion: true).sql
    }
}
#endif

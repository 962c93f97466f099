#if Postgres
import ContextCore
import SQLStore

/// The last changes of a transaction, which are sent to the server together with its commit.
///
/// The program doesn't see their results before the server commits. So each conflict has to be an error of a statement, after which the
/// server doesn't commit.
struct FinalChanges {
    let changes: ChangeSet
    let writer: ChangeSetWriter

    private var store: PostgresStore { writer.store }

    /// Whether each possible conflict of the changes is an error of a statement.
    ///
    /// It is false for deletions, which query the links of the deleted rows, and for references to a subentity, which query the target's
    /// entity.
    var reportsConflictsAsErrors: Bool {
        changes.deletes.isEmpty && changes.links.isEmpty && changes.lockedRows.isEmpty
            && (changes.inserts.map(\.entityIndex) + changes.updates.map(\.entityIndex)).allSatisfy { index in
                let entity = store.mapping.entities[index]
                return entity.narrowReferences.isEmpty && !entity.hasExternalColumns
            }
    }

    /// Sends the changes in the pipeline, and returns their history record.
    func sendInPipeline() throws(StoreError) -> HistoryEncoder {
        var history = HistoryEncoder()
        for update in changes.updates {
            try sendInPipeline(update)
            history.append(update, store.mapping)
        }
        try writer.sendInsertions(changes)
        for insertion in changes.inserts { history.append(insertion, store.mapping) }
        try writer.checkReferencesBeforeCommit(changes)
        return history
    }

    /// Sends a statement per row, whose plan the server caches; it would plan a statement for many rows each time.
    private func sendInPipeline(_ update: ChangeSet.Update) throws(StoreError) {
        let entity = store.mapping.entities[update.entityIndex]
        let columns = RowColumns(entity, columns: update.columns)
        let sql = store.texts.text(.strictUpdate(entityIndex: update.entityIndex, columns: update.columns)) {
            RowStatements(store.dialect).strictUpdate(of: entity, columns: update.columns)
        }
        for row in 0..<update.rows.count {
            var parameters = PostgresParameters()
            try columns.append(update.rows, row: row, to: &parameters)
            parameters.append(update.rows.version(at: row))
            parameters.append(update.rows.key(at: row))
            parameters.append(update.baseVersions[row])
            try writer.connection.sendInPipeline(sql, parameters)
        }
    }
}
#endif

#if Postgres
import ContextCore
import SQLStore

/// The last changes of a transaction, which go to the server together with its commit.
///
/// The program doesn't see what they come to before the server commits. So whatever stands in their way has to be an error, after which
/// the server commits nothing.
struct LastChanges {
    let changes: ChangeSet
    let writer: ChangeSetWriter

    private var store: PostgresStore { writer.store }

    /// Whether anything that could stand in the way is told by errors.
    ///
    /// Rows that are deleted take links with them, which are asked for, and so are the entities of rows that some references lead to.
    var canBeStrict: Bool {
        changes.deletes.isEmpty && changes.links.isEmpty && changes.held.isEmpty
            && (changes.inserts.map(\.entityIndex) + changes.updates.map(\.entityIndex)).allSatisfy { index in
                let entity = store.mapping.entities[index]
                return entity.narrowReferences.isEmpty && !entity.hasExternalColumns
            }
    }

    /// Posts them, and answers what the history is to say.
    func post() throws(StoreError) -> HistoryEncoder {
        var history = HistoryEncoder()
        for update in changes.updates { try post(update, &history) }
        try writer.postInsertions(changes)
        for insertion in changes.inserts {
            history.append(
                .insert, entity: store.mapping.entities[insertion.entityIndex].number,
                keys: BatchKeys(insertion.rows))
        }
        try writer.checkReferencesEarly(changes)
        return history
    }

    /// Posts a statement a row: the server keeps its plan, and would plan one for many rows anew each time.
    private func post(_ update: ChangeSet.Update, _ history: inout HistoryEncoder) throws(StoreError) {
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
            try writer.connection.post(sql, parameters)
        }
        history.append(
            .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
            keys: BatchKeys(update.rows))
    }
}
#endif

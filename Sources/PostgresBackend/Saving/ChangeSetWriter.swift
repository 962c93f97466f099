#if Postgres
import ContextCore
import SQLStore

/// Writes a change set in the fastest way, on the assumption that it has no conflicts.
struct ChangeSetWriter {
    let store: PostgresStore
    let connection: PostgresConnection

    var reader: SessionReader { SessionReader(store: store, connection: connection) }

    func finishWriting(_ changes: ChangeSet) throws(StoreError) -> Bool {
        if touchesReferences(changes) { try checkReferences() }
        return try connection.finishPipeline()
    }

    /// Writes the changes, and finds all of their conflicts.
    ///
    /// - Throws: `StoreError.Code.contention` for a conflict with a row that another transaction has saved since this one took its
    ///   snapshot.
    func writeFindingConflicts(_ changes: ChangeSet) throws(StoreError) -> ([RowConflict], HistoryEncoder) {
        try lockRows(changes.lockedRows)
        do throws(StoreError) {
            let (conflicts, history) = try ConflictFindingWriter(self).write(changes)
            if conflicts.isEmpty {
                try checkReferences()
                _ = try connection.finishPipeline()
            }
            return (conflicts, history)
        } catch {
            guard error.code == .duplicate || error.code == .missingReference else { throw error }
            throw StoreError(
                .contention,
                "Another transaction has saved the same unique values, or deleted an object that the changes refer to; nothing was saved.",
                remedy:
                    "Save again. In a store.write block, raise `retries:`, or give conflicting writes the same `lane:` so that they run one after another.",
                detail: error.detail, cause: error)
        }
    }

    /// Updates rows without a change, so that concurrent transactions that change them conflict; a row lock would end with this one.
    func lockRows(_ lockedRows: [ChangeSet.LockedRows]) throws(StoreError) {
        for rows in lockedRows {
            let table = store.dialect.stored(store.mapping.entities[rows.rootIndex].table)
            for part in RowColumns.chunks(rows.keys.count) {
                var parameters = PostgresParameters()
                parameters.append(keys: rows.keys[part])
                try connection.sendInPipeline(
                    """
                    UPDATE \(table) SET "\(StoreNames.version)" = "\(StoreNames.version)" \
                    WHERE "\(StoreNames.key)" = ANY($1)
                    """, parameters)
            }
        }
    }

    /// Sends the insertions in the pipeline.
    func sendInsertions(_ changes: ChangeSet) throws(StoreError) {
        for insertion in changes.inserts {
            try insert(insertion.rows, of: insertion.entityIndex)
        }
    }

    /// Checks deferred foreign keys before the commit waits for other commits, since it must not wait for row locks meanwhile.
    func checkReferencesBeforeCommit(_ changes: ChangeSet) throws(StoreError) {
        if touchesReferences(changes) { try connection.sendInPipeline(store.checkReferencesStatements[0]) }
    }

    /// Returns whether the changes could violate foreign keys.
    private func touchesReferences(_ changes: ChangeSet) -> Bool {
        !changes.deletes.isEmpty || !changes.links.isEmpty
            || (changes.inserts.map(\.entityIndex) + changes.updates.map(\.entityIndex)).contains { index in
                store.model.layouts[index].columns.contains { column in
                    if case .reference = column.kind { true } else { false }
                }
            }
    }

    /// Checks deferred foreign keys now instead of at the commit.
    func checkReferences() throws(StoreError) {
        for statement in store.checkReferencesStatements { try connection.sendInPipeline(statement) }
    }

    func updateRows(
        _ batch: RowBatch, _ update: ChangeSet.Update, of entity: EntityMapping
    ) throws(StoreError) -> Bool {
        let columns = RowColumns(entity, columns: update.columns)
        let sql = store.texts.text(.update(entityIndex: update.entityIndex, columns: update.columns)) {
            arrays(of: update.entityIndex).update(columns: update.columns)
        }
        for rows in columns.chunks(batch) {
            var parameters = PostgresParameters()
            parameters.append(keys: rows.lazy.map { batch.key(at: $0) })
            parameters.append(keys: update.baseVersions[rows])
            parameters.append(keys: rows.lazy.map { batch.version(at: $0) })
            try columns.append(batch, rows: rows, to: &parameters)
            try connection.sendInPipeline(sql, parameters, changing: rows.count)
        }
        return true
    }

    func deleteRows(_ deletion: ChangeSet.Deletion) throws(StoreError) -> Bool {
        let rows = zip(deletion.keys, deletion.baseVersions).map { (key: $0, base: $1) }
        for part in RowColumns.chunks(rows.count) {
            try delete(rows[part].filter { $0.base == nil }, .key, of: deletion.entityIndex)
            let versioned = rows[part].filter { $0.base != nil }
            // Rows that were never changed all have the same version, so their keys are enough to find them.
            let isOneVersion = versioned.allSatisfy { $0.base == versioned[0].base }
            try delete(
                versioned, isOneVersion ? .oneVersion : .version, of: deletion.entityIndex)
        }
        return true
    }

    private func delete(
        _ rows: [(key: Int64, base: Int64?)], _ check: StatementTexts.DeletionCheck, of entityIndex: Int
    ) throws(StoreError) {
        if rows.isEmpty { return }
        var parameters = PostgresParameters()
        parameters.append(keys: rows.lazy.map(\.key))
        switch check {
        case .key: break
        case .oneVersion: parameters.append(rows[0].base)
        case .version: parameters.append(keys: rows.lazy.compactMap(\.base))
        }
        try connection.sendInPipeline(deletion(of: entityIndex, check), parameters, changing: rows.count)
    }

    func deletion(of entityIndex: Int, _ check: StatementTexts.DeletionCheck) -> String {
        store.texts.text(.deletion(entityIndex: entityIndex, check)) {
            let arrays = arrays(of: entityIndex)
            return switch check {
            case .key: arrays.deletionByKey()
            case .oneVersion: arrays.deletionAtVersion()
            case .version: arrays.deletion()
            }
        }
    }

    func arrays(of entityIndex: Int) -> ArrayStatements {
        ArrayStatements(entity: store.mapping.entities[entityIndex], dialect: store.dialect)
    }
}
#endif

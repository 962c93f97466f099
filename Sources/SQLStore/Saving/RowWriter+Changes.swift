package import ContextCore

extension RowWriter {
    /// Writes changes in the fastest way and returns their history record, or nil if they have conflicts.
    package func write(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        do throws(StoreError) {
            try lockRows(changes.lockedRows)
            guard let history = try writeRows(changes), try finishWriting(changes) else { return nil }
            if !changes.hasUncheckedReferences(in: reader.mapping) { return history }
            return try RelationshipEntityCheck(reader).isSatisfied(changes) ? history : nil
        } catch {
            let isConflict = error.code == .duplicate || error.code == .missingReference
            if isConflict, reader.connection.isInTransaction { return nil }
            throw error
        }
    }

    package func writeFindingConflicts(
        _ changes: ChangeSet
    ) throws(StoreError) -> ([RowConflict], HistoryEncoder) {
        try ConflictFindingWriter(self).write(changes)
    }

    /// Writes all changes and returns their history record, or nil as soon as a row's version has changed.
    ///
    /// Deletions come first, so that inserted and updated rows can reuse values of unique constraints.
    private func writeRows(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        let mapping = reader.mapping
        var history = HistoryEncoder()
        for deletion in changes.deletes {
            try prepareDeletion(of: deletion.keys, entityIndex: deletion.entityIndex, &history)
            guard try deleteRows(deletion) else { return nil }
        }
        for update in changes.updates {
            guard try self.update(update, mapping) else { return nil }
            history.append(update, mapping)
        }
        for insertion in changes.inserts {
            try insert(insertion.rows, into: mapping.entities[insertion.entityIndex], mapping.model)
            history.append(insertion, mapping)
        }
        if !changes.links.isEmpty { try LinkWriter(self).write(changes.links, &history) }
        return history
    }

    /// Inserts rows, except those with some keys.
    package func insert(
        _ rows: RowBatch, of entityIndex: Int, except keys: Set<Int64> = []
    ) throws(StoreError) {
        let mapping = reader.mapping
        let rows = keys.isEmpty ? rows : try rows.without(keys, mapping.model)
        try insert(rows, into: mapping.entities[entityIndex], mapping.model)
    }

    private func insert(
        _ rows: RowBatch, into entity: EntityMapping, _ model: ObjectModel
    ) throws(StoreError) {
        guard entity.hasExternalColumns else { return try insertRows(rows, into: entity) }
        let values = try ExternalValues(rows, of: entity, columns: entity.columns.indices, model)
        try insertRows(values.rows, into: entity)
        try writeExternalValues(values.parts, of: entity)
    }

    /// Updates rows; returns false if the version of one has changed.
    private func update(_ update: ChangeSet.Update, _ mapping: StoreMapping) throws(StoreError) -> Bool {
        let entity = mapping.entities[update.entityIndex]
        guard entity.hasExternalColumns else { return try updateRows(update.rows, update, of: entity) }
        let values = try ExternalValues(update.rows, of: entity, columns: update.columns, mapping.model)
        guard try updateRows(values.rows, update, of: entity) else { return false }
        try writeExternalValues(values.parts, of: entity)
        try deleteReplacedExternalValues(values.parts, of: entity)
        return true
    }

    /// Deletes the links of rows that are about to be deleted, and records the deletions.
    func prepareDeletion(
        of keys: [Int64], entityIndex: Int, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        try LinkWriter(self).deleteLinks(of: keys, entityIndex: entityIndex, &history)
        try TombstoneRecorder(reader).recordDeletions(keys, entityIndex: entityIndex, &history)
    }
}

extension RowBatch {
    /// Returns the rows without those with the given keys.
    fileprivate func without(_ keys: Set<Int64>, _ model: ObjectModel) throws(StoreError) -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        for row in 0..<count where !keys.contains(key(at: row)) {
            builder.append(row, of: self, version: version(at: row))
        }
        return try builder.finish()
    }
}

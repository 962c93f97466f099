import ContextCore

/// Performs an upsert with one statement per group.
struct UpsertStatements<Writer: RowWriter> {
    private let writer: Writer
    private let batch: BatchPlan
    private let upsert: BatchUpsert
    /// The changes of the case that the store has none of the rows.
    private let insertions: ChangeSet

    init(_ writer: Writer, _ batch: BatchPlan, _ upsert: BatchUpsert, _ insertions: ChangeSet) {
        self.writer = writer
        self.batch = batch
        self.upsert = upsert
        self.insertions = insertions
    }

    /// What an upsert has written.
    struct WrittenRows {
        let history: HistoryEncoder
        let unchangedRows: Int
    }

    private var mapping: StoreMapping { writer.reader.mapping }

    // MARK: Checking

    /// Whether the statements do all that the upsert requires.
    ///
    /// They compute no derived attributes and no positions in ordered relationships, write no external values, don't notice that a stored
    /// row belongs to another entity, and can't check the size of an index entry of which the stored row has a part.
    var areSufficient: Bool {
        let layout = mapping.model.layouts[batch.entityIndex]
        return !mapping.entities[batch.entityIndex].hasExternalColumns && !affectsDerivations(layout)
            && (upsert.constraint?.entityIndex ?? layout.index) == layout.index
            && !changesPartOfIndex(layout) && ListAppending(insertions, mapping.model).isEmpty
    }

    /// Whether a stored row, which may belong to a subentity with its own indexes, has a part of a changed index entry.
    private func changesPartOfIndex(_ layout: EntityLayout) -> Bool {
        upsert.groups.contains { group in
            let known = Set(group.columns).union(upsert.constraint?.columns ?? [])
            return layout.familyIndices.contains { index in
                mapping.model.layouts[index].hasIndexedPart(of: known, changing: group.columns)
            }
        }
    }

    private func affectsDerivations(_ layout: EntityLayout) -> Bool {
        if mapping.model.derives(from: insertions) { return true }
        return layout.familyIndices.contains { index in
            upsert.groups.contains { group in
                !group.columns.isEmpty
                    && mapping.model.derives(from: mapping.model.layouts[index], columns: group.columns)
            }
        }
    }

    // MARK: Running

    /// Runs the statements, and returns what they have written; nil if a row violates a constraint.
    func run() throws(StoreError) -> WrittenRows? {
        do throws(StoreError) {
            let written = try writeRows()
            guard try writer.finishWriting(insertions) else { return nil }
            if !insertions.hasUncheckedReferences(in: mapping) { return written }
            return try RelationshipEntityCheck(writer.reader).isSatisfied(insertions) ? written : nil
        } catch {
            let isConflict = error.code == .duplicate || error.code == .missingReference
            if isConflict, writer.reader.connection.isInTransaction { return nil }
            throw error
        }
    }

    private func writeRows() throws(StoreError) -> WrittenRows {
        let entity = mapping.entities[batch.entityIndex]
        var history = HistoryEncoder()
        var writtenCount = 0
        for group in upsert.groups {
            let written = try writer.upsertRows(group, matching: upsert.constraint, into: entity)
            writtenCount += written[0].count
            record(written, of: group, entity, in: &history)
        }
        return WrittenRows(history: history, unchangedRows: upsert.rowCount - writtenCount)
    }

    /// Records the written rows: those with the key of a new row as inserted, all others as updated.
    private func record(
        _ written: [[Int64]], of group: BatchUpsert.Group, _ entity: EntityMapping,
        in history: inout HistoryEncoder
    ) {
        let newKeys = Set(BatchKeys(group.rows))
        var inserted: [Int64] = []
        var updated: [Int: [Int64]] = [:]
        for (place, key) in written[0].enumerated() {
            if newKeys.contains(key) {
                inserted.append(key)
            } else {
                let number = entity.hasEntityColumn ? Int(written[1][place]) : entity.number
                updated[number, default: []].append(key)
            }
        }
        history.append(.insert, entity: entity.number, keys: inserted.sorted())
        let properties = entity.propertyNames(ofColumns: group.columns)
        for (number, keys) in updated.sorted(by: { $0.key < $1.key }) {
            history.append(.update, entity: number, properties: properties, keys: keys.sorted())
        }
    }
}

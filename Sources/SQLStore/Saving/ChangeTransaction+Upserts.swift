import ContextCore

extension ChangeTransaction {
    /// Performs an upsert with one statement per group, or row by row if that can't be right.
    func perform(_ batch: BatchPlan, _ upsert: BatchUpsert) throws(StoreError) -> BatchReceipt {
        let mapping = writer.reader.mapping
        try batch.check(upsert, mapping.model)
        let insertions = upsert.insertions(entityIndex: batch.entityIndex, author: batch.author)
        try RowSizeCheck().check(insertions, mapping.model)
        let statements = UpsertStatements(writer, batch, upsert, insertions)
        if statements.areSufficient, let receipt = try run(statements, author: batch.author) {
            return receipt
        }
        let (changes, result) = try runQueries {
            reader throws(StoreError) -> (ChangeSet, UpsertResolution.Result) in
            let result = try resolve(batch, upsert, insertions, reader)
            return (try complete(result.changes, reader), result)
        }
        if !result.conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: result.conflicts) }
        var receipt = try applyRecordingHistory(changes).receipt(mapping)
        if receipt.conflicts.isEmpty { receipt.unchangedRows = result.unchangedRows }
        return receipt
    }

    /// Runs the statements; nil, without a change, if a row violates a constraint, so that the conflicts have to be found.
    private func run(
        _ statements: UpsertStatements<Writer>, author: String?
    ) throws(StoreError) -> BatchReceipt? {
        let written = try atomically { () throws(StoreError) -> UpsertStatements<Writer>.WrittenRows? in
            guard let written = try statements.run() else { return nil }
            try recordSave(written.history, author: author, context: nil)
            return written
        } keepingIf: {
            $0 != nil
        }
        guard let written else { return nil }
        var receipt = try AppliedChanges(history: written.history).receipt(writer.reader.mapping)
        receipt.unchangedRows = written.unchangedRows
        return receipt
    }

    /// Finds the stored rows with the same unique values, and decides what happens to each row.
    private func resolve(
        _ batch: BatchPlan, _ upsert: BatchUpsert, _ insertions: ChangeSet, _ reader: Writer.Reader
    ) throws(StoreError) -> UpsertResolution.Result {
        let resolution = UpsertResolution(batch, upsert, reader.mapping.model)
        guard let constraint = upsert.constraint else {
            // Without a constraint there is exactly one group, and derived attributes don't add another.
            let candidates = resolution.hasDerivedConstraints ? try derive(insertions, reader) : insertions
            let rows = candidates.inserts[0].rows
            var duplicates: Set<Int64> = []
            for constraint in reader.mapping.model.layouts[batch.entityIndex].uniqueConstraints {
                duplicates.formUnion(
                    try reader.duplicateKeys(of: rows, batch.entityIndex, constraint).keys)
            }
            return try resolution.ignoring(duplicates, among: rows)
        }
        var storedKeys: [Int64: Int64] = [:]
        for group in upsert.groups {
            storedKeys.merge(try reader.duplicateKeys(of: group.rows, batch.entityIndex, constraint)) {
                first, _ in first
            }
        }
        let rows = try reader.rows(Set(storedKeys.values).sorted(), entityIndex: constraint.entityIndex)
        let stored = Dictionary((0..<rows.count).map { (rows.key(at: $0), StoredRow(rows, $0)) }) {
            first, _ in first
        }
        return try resolution.updating(storedKeys.compactMapValues { stored[$0] })
    }
}

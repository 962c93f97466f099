import Foundation

extension BatchPlan {
    /// Computes the changes of an upsert over rows in memory.
    func changes(
        of upsert: BatchUpsert, over source: some RowSource, at date: Date
    ) throws -> BatchChanges {
        try check(upsert, source.model)
        let resolution = UpsertResolution(self, upsert, source.model)
        let search = UniqueRowSearch(source: source)
        let result: UpsertResolution.Result
        if let constraint = upsert.constraint {
            var stored: [Int64: StoredRow] = [:]
            for group in upsert.groups {
                stored.merge(try search.storedRows(matching: group.rows, constraint)) { first, _ in first }
            }
            result = try resolution.updating(stored)
        } else {
            let rows = try candidates(of: upsert, resolution, over: source, at: date)
            var duplicates: Set<Int64> = []
            for constraint in source.model.layouts[entityIndex].uniqueConstraints {
                duplicates.formUnion(try search.storedRows(matching: rows, constraint).keys)
            }
            result = try resolution.ignoring(duplicates, among: rows)
        }
        let derived = try DerivedChanges(result.changes, over: source, now: date).completed()
        return BatchChanges(
            changes: try derived.appendingToLists(over: source), conflicts: result.conflicts,
            unchangedRows: result.unchangedRows)
    }

    /// Returns the new rows of an upsert that leaves out duplicates, with their derived attributes if these must be unique.
    private func candidates(
        of upsert: BatchUpsert, _ resolution: UpsertResolution, over source: some RowSource, at date: Date
    ) throws -> RowBatch {
        var changes = upsert.insertions(entityIndex: entityIndex, author: author)
        if resolution.hasDerivedConstraints {
            changes = try DerivedChanges(changes, over: source, now: date).completed()
        }
        // Without a constraint there is exactly one group, and derived attributes don't add another.
        return changes.inserts[0].rows
    }
}

/// Finds stored rows that have the same values of a unique constraint as new rows.
private struct UniqueRowSearch<Source: RowSource> {
    let source: Source

    /// Returns the stored rows by the keys of the new rows.
    func storedRows(matching rows: RowBatch, _ constraint: UniqueColumns) throws -> [Int64: StoredRow] {
        var wanted: [[StoredValue]: [Int64]] = [:]
        for index in 0..<rows.count {
            let row = StoredRow(rows, index)
            if let values = constraint.values(of: row) { wanted[values, default: []].append(row.key) }
        }
        if wanted.isEmpty { return [:] }
        let family = Set(source.model.layouts[constraint.entityIndex].familyIndices)
        let conditions = constraint.columns.indices.map { place in
            RowCriteria.Condition.values(
                column: constraint.columns[place], Set(wanted.keys.map { $0[place] }))
        }
        let criteria = RowCriteria(entityIndices: family.sorted(), conditions: conditions)
        var found: [Int64: StoredRow] = [:]
        try source.visit(criteria) { row in
            guard family.contains(row.entityIndex), let values = constraint.values(of: row),
                let keys = wanted[values]
            else { return true }
            for key in keys where found[key] == nil { found[key] = row }
            return true
        }
        return found
    }
}

public import Foundation

extension FetchPlan {
    /// Evaluates the plan over rows, with a date for `now` in predicates.
    public func evaluate(over source: some RowSource, at date: Date = .now) throws -> RowBatch {
        let evaluation = RowEvaluation(source, now: date)
        return try batch(of: page(of: matchingRows(evaluation), evaluation), source.model)
    }

    /// Whether a row satisfies the plan's predicate, independent of limit and offset.
    public func matches(
        _ row: StoredRow, in source: some RowSource, at date: Date = .now
    ) throws -> Bool {
        guard criteria(in: source.model).entityIndices.contains(row.entityIndex) else { return false }
        return try RowEvaluation(source, now: date).isTrue(predicate, row)
    }

    /// Returns the conditions that can be used to find the plan's rows with an index.
    public func criteria(in model: ObjectModel) -> RowCriteria {
        RowCriteria(
            model.layouts[entityIndex], includesSubentities: includesSubentities, predicate)
    }

    /// Returns the rows that satisfy the predicate, sorted by key; without an order, only as many as limit and offset require.
    private func matchingRows(_ evaluation: RowEvaluation<some RowSource>) throws -> [StoredRow] {
        let maximumCount = order.isEmpty ? offsetPlusLimit ?? .max : .max
        if maximumCount == 0 { return [] }
        var found: [StoredRow] = []
        try evaluation.forEach(criteria(in: evaluation.reader.source.model), where: predicate) { row in
            found.append(row)
            return found.count < maximumCount
        }
        return found
    }

    /// Sorts rows, and applies offset and limit.
    private func page(
        of rows: [StoredRow], _ evaluation: RowEvaluation<some RowSource>
    ) throws -> ArraySlice<StoredRow> {
        let sorted = try order.isEmpty ? rows : evaluation.sorted(rows, by: order)
        return sorted.dropFirst(offset).prefix(limit ?? .max)
    }

    private func batch(of rows: ArraySlice<StoredRow>, _ model: ObjectModel) throws -> RowBatch {
        if columns == nil, let whole = wholeBatch(rows) { return whole }
        var builder = RowBatchBuilder(
            model: model, expecting: rows.count, entityIndex: entityIndex, loadedColumns: columns)
        if let columns = columns?.sorted() {
            for row in rows { builder.append(row.index, of: row.batch, columns: columns) }
        } else {
            for row in rows { builder.append(row.index, of: row.batch) }
        }
        return try builder.finish()
    }

    /// Returns the batch that consists of exactly these rows in this order, which needn't be copied; nil if there is none.
    private func wholeBatch(_ rows: ArraySlice<StoredRow>) -> RowBatch? {
        guard let batch = rows.first?.batch, batch.count == rows.count, batch.loadedColumns == nil else {
            return nil
        }
        for (index, row) in rows.enumerated() where row.batch !== batch || row.index != index { return nil }
        return batch
    }
}

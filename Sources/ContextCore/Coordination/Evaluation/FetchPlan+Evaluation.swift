public import Foundation

extension FetchPlan {
    /// Answers the plan out of rows; the moment is what `now` means in a predicate.
    public func evaluate(over source: some RowSource, at moment: Date = .now) throws -> RowBatch {
        let evaluation = RowEvaluation(source, now: moment)
        return try batch(of: page(of: matches(evaluation), evaluation), source.model)
    }

    /// Tells whether a row is among those that the plan means, before any is cut off.
    public func matches(
        _ row: StoredRow, in source: some RowSource, at moment: Date = .now
    ) throws -> Bool {
        guard criteria(in: source.model).entityIndices.contains(row.entityIndex) else { return false }
        return try RowEvaluation(source, now: moment).isTrue(predicate, row)
    }

    /// What is certain of the plan's rows before any of them is looked at.
    public func criteria(in model: ObjectModel) -> RowCriteria {
        RowCriteria(
            model.layouts[entityIndex], includesSubentities: includesSubentities, predicate)
    }

    /// The rows that the plan means, in order of their keys; no more than are needed.
    private func matches(_ evaluation: RowEvaluation<some RowSource>) throws -> [StoredRow] {
        let most = order.isEmpty ? window ?? .max : .max
        if most == 0 { return [] }
        var found: [StoredRow] = []
        try evaluation.forEach(criteria(in: evaluation.reader.source.model), where: predicate) { row in
            found.append(row)
            return found.count < most
        }
        return found
    }

    /// Sorts rows, and cuts out those that are wanted.
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

    /// The batch that holds these rows in this order and no others; it needn't be copied, since batches never change.
    private func wholeBatch(_ rows: ArraySlice<StoredRow>) -> RowBatch? {
        guard let batch = rows.first?.batch, batch.count == rows.count, batch.loadedColumns == nil else {
            return nil
        }
        for (index, row) in rows.enumerated() where row.batch !== batch || row.index != index { return nil }
        return batch
    }
}

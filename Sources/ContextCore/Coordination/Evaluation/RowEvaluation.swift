/// Finds out what predicates and expressions come to for rows of a source.
struct RowEvaluation<Source: RowSource> {
    let source: Source

    init(_ source: Source) { self.source = source }

    /// Whether a row fulfils a predicate; every row does where there is none.
    func isTrue(_ predicate: ResolvedPredicate?, _ row: StoredRow) throws -> Bool {
        if predicate == nil { return true }
        throw StoreError(.unsupportedRequest, "Predicates can't be evaluated in memory.")
    }

    /// Visits the rows of a selection that fulfil a predicate, in order of their keys, until the body returns false.
    func forEach(
        _ selection: RowSelection, where predicate: ResolvedPredicate?, _ body: (StoredRow) throws -> Bool
    ) throws {
        let entities = Set(selection.entityIndices)
        try source.visit(selection) { row in
            guard entities.contains(row.entityIndex), try isTrue(predicate, row) else { return true }
            return try body(row)
        }
    }

    /// Sorts rows that come in order of their keys, which breaks ties.
    func sorted(_ rows: [StoredRow], by order: [ResolvedSortKey]) throws -> [StoredRow] {
        var entries: [SortedEntry] = []
        entries.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            var writer = OrderedBytesWriter()
            for key in order { try append(key, row, to: &writer) }
            entries.append(SortedEntry(bytes: writer.bytes, index: index))
        }
        entries.sort { $0.bytes == $1.bytes ? $0.index < $1.index : $0.bytes < $1.bytes }
        return entries.map { rows[$0.index] }
    }

    private func append(_ key: ResolvedSortKey, _ row: StoredRow, to writer: inout OrderedBytesWriter) throws {
        let order = SortingOrder(isDescending: key.isDescending, nullsFirst: key.nullsFirst)
        if let column = key.expression.ownColumn {
            writer.append(
                column, of: row.batch.row(row.index), in: row.batch, source.model.layouts[row.entityIndex], order)
        } else {
            throw StoreError(.unsupportedRequest, "Expressions can't be evaluated in memory.")
        }
    }
}

/// A row's sort values, and where it stood before.
private struct SortedEntry {
    let bytes: OrderedBytes
    let index: Int
}

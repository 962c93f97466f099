import Foundation

/// Evaluates predicates and expressions for rows of a source.
struct RowEvaluation<Source: RowSource> {
    let reader: SharedRowSource<Source>
    let evaluator: PredicateEvaluator<RowSubject<Source>>

    init(_ source: Source, now: Date) {
        reader = SharedRowSource(source)
        evaluator = PredicateEvaluator(now: now.microseconds)
    }

    func subject(_ row: StoredRow) -> RowSubject<Source> { RowSubject(row: row, reader: reader) }

    /// Whether a row satisfies a predicate; true if there is no predicate.
    func isTrue(_ predicate: ResolvedPredicate?, _ row: StoredRow) throws -> Bool {
        guard let predicate else { return true }
        return try evaluator.isTrue(predicate, subject(row))
    }

    /// Visits the rows that satisfy criteria and a predicate, sorted by key, until the body returns false.
    func forEach(
        _ criteria: RowCriteria, where predicate: ResolvedPredicate?, _ body: (StoredRow) throws -> Bool
    ) throws {
        let entities = Set(criteria.entityIndices)
        let only = entities.count == 1 ? entities.first : nil
        let packed = predicate.map(PackedPredicate.init)
        let layouts = reader.source.model.layouts
        try reader.source.visit(criteria) { row in
            let entityIndex = row.entityIndex
            guard only.map({ $0 == entityIndex }) ?? entities.contains(entityIndex),
                try packed.map({ packed in
                    try packed.evaluate(row, layouts[entityIndex]) {
                        try evaluator.evaluate($0, [subject(row)])
                    }
                        == .true
                }) ?? true
            else { return true }
            return try body(row)
        }
    }

    /// Returns the rows that satisfy criteria and a predicate, sorted by key.
    func subjects(
        _ criteria: RowCriteria, where predicate: ResolvedPredicate?
    ) throws -> [RowSubject<Source>] {
        var subjects: [RowSubject<Source>] = []
        try forEach(criteria, where: predicate) { row in
            subjects.append(subject(row))
            return true
        }
        return subjects
    }

    /// Sorts rows that are already sorted by key; equal rows keep that order.
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

    private func append(
        _ key: ResolvedSortKey, _ row: StoredRow, to writer: inout OrderedBytesWriter
    ) throws {
        let order = SortingOrder(isDescending: key.isDescending, nullsFirst: key.nullsFirst)
        if let column = key.expression.ownColumn {
            let layout = reader.source.model.layouts[row.entityIndex]
            writer.append(column, of: row.batch.row(row.index), in: row.batch, layout, order)
        } else {
            writer.append(try evaluator.value(key.expression, subject(row)), order)
        }
    }
}

/// The sort values of a row, and its index in the unsorted rows.
private struct SortedEntry {
    let bytes: OrderedBytes
    let index: Int
}

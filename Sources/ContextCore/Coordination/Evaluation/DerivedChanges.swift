import Foundation

/// Adds to a change set the derived attributes of its rows, and of rows that depend on them.
package struct DerivedChanges<Source: RowSource> {
    let source: Source
    private let now: Date
    let changed: ChangedRows<Source>
    let changes: ChangeSet

    /// Creates a value for a change set at the current time.
    package init(_ changes: ChangeSet, over source: Source) {
        self.init(changes, over: source, now: .now)
    }

    init(_ changes: ChangeSet, over source: Source, now: Date) {
        self.changes = changes
        self.source = source
        self.now = now
        changed = ChangedRows(changes, over: source)
    }

    var model: ObjectModel { source.model }

    /// Returns the changes with their derived attributes.
    package func completed() throws -> ChangeSet {
        if model.layouts.allSatisfy(\.derivations.isEmpty) { return changes }
        let values = try derivedValues()
        if values.isEmpty { return changes }
        var completed = changes
        completed.inserts = try changes.inserts.map { insertion in
            ChangeSet.Insertion(
                entityIndex: insertion.entityIndex, rows: try rewritten(insertion.rows, values))
        }
        completed.updates = try updates(values)
        return completed
    }

    private func rewritten(_ rows: RowBatch, _ values: [RowKey: [Int: StoredValue]]) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model, rowCapacity: rows.count * 64)
        for index in 0..<rows.count {
            builder.append(index, of: rows)
            for (column, value) in values[RowKey(StoredRow(rows, index), in: model)] ?? [:] {
                builder.set(column, to: value)
            }
        }
        return try builder.finish()
    }

    /// Returns all updated rows, grouped by their changed columns.
    private func updates(_ values: [RowKey: [Int: StoredValue]]) throws -> [ChangeSet.Update] {
        var pieces: [(shape: UpdatedShape, row: StoredRow, base: Int64, values: [Int: StoredValue])] = []
        var rest = values
        for insertion in changes.inserts {
            for index in 0..<insertion.rows.count {
                rest[RowKey(StoredRow(insertion.rows, index), in: model)] = nil
            }
        }
        for update in changes.updates {
            for index in 0..<update.rows.count {
                let row = StoredRow(update.rows, index)
                let more = rest.removeValue(forKey: RowKey(row, in: model)) ?? [:]
                let columns = Set(update.columns).union(more.keys).sorted()
                pieces.append(
                    (UpdatedShape(row.entityIndex, columns), row, update.baseVersions[index], more))
            }
        }
        for (rowKey, values) in rest.sorted(by: { $0.key < $1.key }) {
            guard let row = try source.row(rowKey.key, entityIndex: rowKey.rootIndex) else { continue }
            pieces.append((UpdatedShape(row.entityIndex, values.keys.sorted()), row, row.version, values))
        }
        let groups = Dictionary(grouping: pieces.indices) { pieces[$0].shape }
        return try groups.values.sorted { $0[0] < $1[0] }.map { indices in
            let shape = pieces[indices[0]].shape
            var builder = RowBatchBuilder(
                model: model, expecting: indices.count, entityIndex: shape.entityIndex)
            for piece in indices.map({ pieces[$0] }) {
                builder.append(piece.row.index, of: piece.row.batch, version: piece.base + 1)
                for (column, value) in piece.values { builder.set(column, to: value) }
            }
            return ChangeSet.Update(
                entityIndex: shape.entityIndex, columns: shape.columns, rows: try builder.finish(),
                baseVersions: indices.map { pieces[$0].base })
        }
    }

    // MARK: Values

    /// Returns the derived values that differ from those of the rows, by row and column.
    private func derivedValues() throws -> [RowKey: [Int: StoredValue]] {
        let evaluation = RowEvaluation(changed, now: now)
        var expressions: [Int: [(column: Int, expression: ResolvedExpression?)]] = [:]
        var values: [RowKey: [Int: StoredValue]] = [:]
        for rowKey in try affectedRows().sorted() {
            guard let row = try changed.row(rowKey.key, entityIndex: rowKey.rootIndex) else { continue }
            let derived = try expressions[row.entityIndex] ?? self.expressions(of: row.entityIndex)
            expressions[row.entityIndex] = derived
            for (column, expression) in derived {
                let value: StoredValue
                if let expression {
                    value = try evaluation.evaluator.value(expression, evaluation.subject(row))
                } else if changed.rows[rowKey] != nil {
                    value = now.storedValue
                } else {
                    continue
                }
                if row.value(column) != value { values[rowKey, default: [:]][column] = value }
            }
        }
        return values
    }

    /// Returns the derivations of an entity by column; nil for the time of the save.
    private func expressions(
        of entityIndex: Int
    ) throws -> [(column: Int, expression: ResolvedExpression?)] {
        let layout = model.layouts[entityIndex]
        return try layout.derivations.compactMap { slot, derivation in
            guard let column = layout.properties[slot].columns.first else { return nil }
            return (column, try derivation.expression(for: layout, in: model))
        }
    }

    /// Returns the changed rows, the rows with derived attributes over relationships that contain a changed row or link, and
    /// the rows that copy values from a changed row.
    private func affectedRows() throws -> Set<RowKey> {
        var affectedRows = Set(changed.rows.keys)
        affectedRows.formUnion(changed.ownersOfChangedLinks)
        affectedRows.formUnion(try CopyDependents(changes, over: changed).owners())
        for (rowKey, row) in changed.rows {
            affectedRows.formUnion(try owners(of: row))
            if let old = try source.row(rowKey.key, entityIndex: rowKey.rootIndex) {
                affectedRows.formUnion(try owners(of: old))
            }
        }
        for rowKey in changed.deleted {
            if let old = try source.row(rowKey.key, entityIndex: rowKey.rootIndex) {
                affectedRows.formUnion(try owners(of: old))
            }
        }
        return affectedRows.subtracting(changed.deleted)
    }

    /// Returns the rows with derived attributes over relationships that contain a row.
    func owners(of row: StoredRow) throws -> [RowKey] {
        let layout = model.layouts[row.entityIndex]
        return try layout.contributions.flatMap { slot -> [RowKey] in
            let property = layout.properties[slot]
            guard let relationship = property.relationship else { return [] }
            let root = model.layouts[relationship.destinationIndex].rootIndex
            let keys =
                if let column = property.columns.first {
                    row.reference(column).map { [$0] } ?? []
                } else {
                    try source.links(of: row.key, entityIndex: row.entityIndex, slot: slot).map(\.target)
                }
            return keys.map { RowKey(rootIndex: root, key: $0) }
        }
    }
}

/// The changed columns of a group of rows.
private struct UpdatedShape: Hashable {
    let entityIndex: Int
    let columns: [Int]

    init(_ entityIndex: Int, _ columns: [Int]) {
        self.entityIndex = entityIndex
        self.columns = columns
    }
}

extension Derivation {
    /// Returns the derivation as an expression of columns; nil for the time of the save.
    func expression(for layout: EntityLayout, in model: ObjectModel) throws -> ResolvedExpression? {
        let checker = RequestChecker(layout, in: model)
        func path(_ path: String) throws -> ResolvedExpression {
            try checker.operand(.path(PropertyPath(path))).expression
        }
        func aggregate(_ function: AggregateFunction, _ relationship: String, _ tail: [String] = []) throws
            -> ResolvedExpression
        {
            try checker.expression(
                .aggregate(FetchAggregate(function, of: PropertyPath(relationship), tail: tail)))
        }
        switch self {
        case .now: return nil
        case .copy(let source): return try path(source)
        case .lowercased(let source):
            return .function(.written(.lowercase), [try path(source)], type: .string)
        case .canonical(let source):
            let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
            return .function(.fold(options), [try path(source)], type: .string)
        case .count(let relationship): return try aggregate(.count, relationship)
        case .sum(let relationship, let attribute): return try aggregate(.sum, relationship, [attribute])
        case .minimum(let relationship, let attribute):
            return try aggregate(.minimum, relationship, [attribute])
        case .maximum(let relationship, let attribute):
            return try aggregate(.maximum, relationship, [attribute])
        }
    }
}

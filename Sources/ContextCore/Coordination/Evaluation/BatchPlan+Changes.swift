public import Foundation

extension BatchPlan {
    /// Computes the changes of the plan, so that a store can apply them like any other change set.
    ///
    /// Versions are incremented by one. Delete rules are applied transitively. Derived attributes of the rows, and of rows that depend on
    /// them, are computed again. A row that gets an owner becomes the last member of the owner's ordered relationship.
    ///
    /// - Throws: ``StoreError/Code/validation`` with all failures if a value violates a rule of the model.
    public func changes(over source: some RowSource, at date: Date = .now) throws -> BatchChanges {
        var changes = ChangeSet(author: author)
        switch operation {
        case .insert(let rows):
            try check(rows, source.model)
            changes.inserts.append(ChangeSet.Insertion(entityIndex: entityIndex, rows: rows))
        case .upsert(let upsert):
            return try self.changes(of: upsert, over: source, at: date)
        case .update(let values):
            try check(values, source.model)
            changes.updates = try updates(of: try rows(in: source, at: date), values, source.model)
        case .delete:
            var deletion = DeleteRuleEvaluation(source)
            try deletion.delete(try rows(in: source, at: date))
            let work = try deletion.finish(author: author)
            guard work.conflicts.isEmpty else { return work }
            changes = work.changes
        }
        let derivation = DerivedChanges(changes, over: source, now: date)
        return BatchChanges(
            changes: try derivation.completed().appendingToLists(over: source), conflicts: [])
    }

    /// Returns the rows that the plan changes.
    private func rows(in source: some RowSource, at date: Date) throws -> [StoredRow] {
        var found: [StoredRow] = []
        let criteria = RowCriteria(
            source.model.layouts[entityIndex], includesSubentities: includesSubentities, predicate)
        try RowEvaluation(source, now: date).forEach(criteria, where: predicate) { row in
            found.append(row)
            return true
        }
        return found
    }

    /// Returns the changed rows, grouped by entity.
    private func updates(
        of rows: [StoredRow], _ values: [Int: StoredValue], _ model: ObjectModel
    ) throws -> [ChangeSet.Update] {
        let columns = values.keys.sorted()
        let groups = Dictionary(grouping: rows, by: \.entityIndex).sorted { $0.key < $1.key }
        return try groups.map { entityIndex, rows in
            var builder = RowBatchBuilder(model: model, expecting: rows.count, entityIndex: entityIndex)
            for row in rows {
                builder.append(row.index, of: row.batch, version: row.version + 1)
                for column in columns { builder.set(column, to: values[column] ?? .null) }
            }
            return ChangeSet.Update(
                entityIndex: entityIndex, columns: columns, rows: try builder.finish(),
                baseVersions: rows.map(\.version))
        }
    }

    /// Validates the values of an update.
    ///
    /// - Throws: ``StoreError/Code/validation`` with all failures.
    package func check(_ values: [Int: StoredValue], _ model: ObjectModel) throws(StoreError) {
        let layout = model.layouts[entityIndex]
        let failures = values.sorted { $0.key < $1.key }.flatMap { column, value in
            layout.failures(of: value, column: column)
        }
        try throwIfInvalid(failures, layout)
        try layout.checkIndexSizes(values)
    }

    /// Validates new rows like objects, except for derived attributes.
    ///
    /// - Throws: ``StoreError/Code/validation`` with all failures.
    package func check(_ rows: RowBatch, _ model: ObjectModel) throws(StoreError) {
        try throwIfInvalid(failures(of: rows, model), model.layouts[entityIndex])
    }

    /// Validates the rows of an upsert as new rows, and checks their sizes, whether or not the store has such rows.
    ///
    /// - Throws: ``StoreError/Code/validation`` with all failures.
    package func check(_ upsert: BatchUpsert, _ model: ObjectModel) throws(StoreError) {
        try throwIfInvalid(
            upsert.groups.flatMap { failures(of: $0.rows, model) }, model.layouts[entityIndex])
        try upsert.insertions(entityIndex: entityIndex, author: author).check(for: model)
    }

    /// Returns the rules that new rows violate.
    private func failures(of rows: RowBatch, _ model: ObjectModel) -> [ValidationFailure] {
        // The store rejects rows of another model and partially fetched rows, so their values don't matter.
        guard rows.model === model, rows.loadedColumns == nil else { return [] }
        let layout = model.layouts[entityIndex]
        var failures: [ValidationFailure] = []
        for property in layout.properties where !property.columns.isEmpty {
            if case .derived? = property.attribute?.storage { continue }
            let isRequired = property.relationship?.description.isOptional == false
            for index in 0..<rows.count {
                if let validation = property.validation {
                    let value = rows.storedValue(of: property, at: index)
                    if validation.quick.accepts(value) { continue }
                    failures += validation.failures(of: value).map {
                        layout.failure($0.path(in: property), $0.message, $0.valueKind)
                    }
                } else if isRequired, rows.rawValue(of: property, at: index).isNull {
                    failures.append(layout.failure(property.name, "is required", nil))
                }
            }
        }
        return failures
    }

    private func throwIfInvalid(_ failures: [ValidationFailure], _ layout: EntityLayout) throws(StoreError) {
        if failures.isEmpty { return }
        throw StoreError(
            .validation, "The values are invalid for \(layout.name).",
            remedy: "Use values that satisfy the rules of the model.", failures: failures)
    }
}

/// The changes that a ``BatchPlan`` makes.
public struct BatchChanges: Sendable {
    /// The changes; empty if there are conflicts.
    public let changes: ChangeSet
    /// The rows whose delete rules prevent the batch, or that can't be updated because another entity has their unique values.
    public let conflicts: [RowConflict]
    /// The number of rows of an upsert that are neither inserted nor change a stored row.
    public let unchangedRows: Int

    init(changes: ChangeSet, conflicts: [RowConflict], unchangedRows: Int = 0) {
        self.changes = changes
        self.conflicts = conflicts
        self.unchangedRows = unchangedRows
    }
}

extension EntityLayout {
    /// Returns the rules that a column's value violates.
    fileprivate func failures(of value: StoredValue, column: Int) -> [ValidationFailure] {
        let column = columns[column]
        let property = properties[column.slot]
        guard let attribute = property.attribute else {
            return value.isNull && !column.isOptional ? [failure(column.name, "is required", nil)] : []
        }
        if case .composite(let parts) = attribute.type {
            let part = parts.first { "\(attribute.name).\($0.name)" == column.name }
            if value.isNull, column.isOptional { return [] }
            return part.map { failures(of: value, ValueValidation($0), column) } ?? []
        }
        return property.validation.map { failures(of: value, $0, column) } ?? []
    }

    private func failures(
        of value: StoredValue, _ validation: ValueValidation, _ column: ColumnLayout
    ) -> [ValidationFailure] {
        validation.failures(of: value).map { failure(column.name, $0.message, $0.valueKind) }
    }

    fileprivate func failure(_ property: String, _ rule: String, _ kind: String?) -> ValidationFailure {
        ValidationFailure(entityName: name, property: property, rule: rule, valueKind: kind)
    }
}

/// Decides which rows of an upsert are inserted and which stored rows they change, once the stored rows were found.
package struct UpsertResolution {
    private let plan: BatchPlan
    private let upsert: BatchUpsert
    private let model: ObjectModel

    package init(_ plan: BatchPlan, _ upsert: BatchUpsert, _ model: ObjectModel) {
        self.plan = plan
        self.upsert = upsert
        self.model = model
    }

    /// The changes that an upsert makes.
    package struct Result {
        /// The changes, without those of derived attributes; empty if there are conflicts.
        package fileprivate(set) var changes: ChangeSet
        /// The new rows whose unique values belong to a row of another entity.
        package fileprivate(set) var conflicts: [RowConflict] = []
        /// The number of new rows that change nothing.
        package fileprivate(set) var unchangedRows = 0
    }

    private var layout: EntityLayout { model.layouts[plan.entityIndex] }

    // MARK: Updating

    /// Returns the changes of an upsert that updates stored rows.
    ///
    /// - Parameter stored: The stored rows with the same values of the constraint, by the keys of the new rows.
    package func updating(_ stored: [Int64: StoredRow]) throws(StoreError) -> Result {
        var result = Result(changes: ChangeSet(author: plan.author))
        var insertions = RowBatchBuilder(model: model)
        var updates: [UpdateShape: [RowPair]] = [:]
        for group in upsert.groups {
            let comparesValues = !hasJSON(group.columns)
            for index in 0..<group.rows.count {
                let new = StoredRow(group.rows, index)
                guard let old = stored[new.key] else {
                    insertions.append(index, of: group.rows)
                    continue
                }
                if !layout.familyIndices.contains(old.entityIndex) {
                    result.conflicts.append(conflict(of: new, with: old))
                } else if group.columns.isEmpty
                    || comparesValues && group.columns.allSatisfy({ new.value($0) == old.value($0) })
                {
                    result.unchangedRows += 1
                } else {
                    let shape = UpdateShape(entityIndex: old.entityIndex, columns: group.columns)
                    updates[shape, default: []].append(RowPair(new: new, old: old))
                }
            }
        }
        guard result.conflicts.isEmpty else {
            return Result(changes: ChangeSet(author: plan.author), conflicts: result.conflicts.sorted())
        }
        try insert(insertions.finish(), into: &result)
        result.changes.updates = try updates.sorted { $0.key < $1.key }.map {
            shape, pairs throws(StoreError) in
            try update(pairs, shape)
        }
        return result
    }

    /// Whether a column contains JSON, which databases store in forms of their own.
    private func hasJSON(_ columns: [Int]) -> Bool {
        columns.contains { layout.columns[$0].kind == .attribute(.codable) }
    }

    private func conflict(of new: StoredRow, with old: StoredRow) -> RowConflict {
        RowConflict(
            entityIndex: plan.entityIndex, key: new.key,
            reason: .duplicate(constraint: upsert.constraint?.names ?? [], otherKey: old.key))
    }

    private func update(_ pairs: [RowPair], _ shape: UpdateShape) throws(StoreError) -> ChangeSet.Update {
        let pairs = pairs.sorted { $0.old.key < $1.old.key }
        var builder = RowBatchBuilder(model: model)
        for pair in pairs {
            builder.append(pair.old.index, of: pair.old.batch, version: pair.old.version &+ 1)
            for column in shape.columns { builder.set(column, to: pair.new.value(column)) }
        }
        return ChangeSet.Update(
            entityIndex: shape.entityIndex, columns: shape.columns, rows: try builder.finish(),
            baseVersions: pairs.map(\.old.version))
    }

    private struct RowPair {
        let new: StoredRow
        let old: StoredRow
    }

    private struct UpdateShape: Hashable, Comparable {
        let entityIndex: Int
        let columns: [Int]

        static func < (left: UpdateShape, right: UpdateShape) -> Bool {
            left.entityIndex == right.entityIndex
                ? left.columns.lexicographicallyPrecedes(right.columns) : left.entityIndex < right.entityIndex
        }
    }

    // MARK: Ignoring

    /// Whether a derived attribute must be unique, so that it has to be computed before duplicates are searched.
    package var hasDerivedConstraints: Bool {
        layout.uniqueConstraints.contains { $0.columns.contains(where: layout.derivedColumns.contains) }
    }

    /// Returns the changes of an upsert that leaves out the rows which violate a unique constraint.
    ///
    /// - Parameters:
    ///   - rows: The new rows, with their derived attributes if these must be unique.
    ///   - duplicates: The keys of the new rows whose unique values a stored row has.
    package func ignoring(_ duplicates: Set<Int64>, among rows: RowBatch) throws(StoreError) -> Result {
        var result = Result(changes: ChangeSet(author: plan.author))
        var insertions = RowBatchBuilder(model: model)
        var claimed: Set<UniqueValues> = []
        for index in 0..<rows.count {
            let row = StoredRow(rows, index)
            let claims = layout.uniqueConstraints.indices.compactMap { constraint in
                layout.uniqueConstraints[constraint].values(of: row).map {
                    UniqueValues(constraint: constraint, values: $0)
                }
            }
            if duplicates.contains(row.key) || claims.contains(where: claimed.contains) {
                result.unchangedRows += 1
                continue
            }
            claimed.formUnion(claims)
            insertions.append(index, of: rows)
        }
        try insert(insertions.finish(), into: &result)
        return result
    }

    private func insert(_ rows: RowBatch, into result: inout Result) {
        if rows.count == 0 { return }
        result.changes.inserts = [ChangeSet.Insertion(entityIndex: plan.entityIndex, rows: rows)]
    }

    private struct UniqueValues: Hashable {
        let constraint: Int
        let values: [StoredValue]
    }
}

extension UniqueColumns {
    /// Returns a row's values of the constraint; nil if one is null, because null never equals null.
    func values(of row: StoredRow) -> [StoredValue]? {
        let values = columns.map(row.value)
        return values.contains(where: \.isNull) ? nil : values
    }
}

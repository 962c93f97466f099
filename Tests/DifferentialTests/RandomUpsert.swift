import ContextCore

/// New rows of an upsert, and how it finds and changes stored rows.
struct RandomUpsert: CustomStringConvertible {
    /// The values of each row, by column.
    var rows: [[StoredValue]]
    /// The constraint that finds stored rows; nil to leave out duplicates.
    let constraint: UniqueColumns?
    /// The columns to set in stored rows.
    let columns: [Int]

    /// The key of the first row, which no store has.
    private static let firstKey: Int64 = 1_000_000

    var description: String {
        "upsert of \(rows) matching \(constraint?.names ?? []) setting \(columns)"
    }

    func operation(_ model: ObjectModel, _ layout: EntityLayout) throws -> BatchPlan.Operation {
        var builder = RowBatchBuilder(model: model)
        for (index, values) in rows.enumerated() {
            builder.beginRow(
                key: Self.firstKey + Int64(index), version: RowBatch.firstVersion, entityIndex: layout.index)
            for (column, value) in values.enumerated() { builder.set(column, to: value) }
        }
        let batch = try builder.finish()
        guard let constraint else { return .upsert(BatchUpsert(ignoringDuplicates: batch)) }
        return .upsert(
            BatchUpsert(updating: [.init(rows: batch, columns: columns)], matching: constraint))
    }
}

extension RandomRequests {
    /// Returns an upsert whose rows have unique values of stored rows in about half of the cases.
    mutating func upsert(_ layout: EntityLayout) -> RandomUpsert {
        let constraint =
            random.chance(70) && !layout.uniqueConstraints.isEmpty
            ? random.pick(layout.uniqueConstraints) : nil
        var rows = (0..<random.count(1...5)).map { _ in upsertedRow(layout) }
        guard let constraint else { return RandomUpsert(rows: rows, constraint: nil, columns: []) }
        var seen: Set<[StoredValue]> = []
        rows = rows.filter { row in
            let values = constraint.columns.map { row[$0] }
            return values.contains(where: \.isNull) || seen.insert(values).inserted
        }
        let columns = layout.columns.indices.filter { column in
            !constraint.columns.contains(column) && random.chance(40)
        }
        return RandomUpsert(rows: rows, constraint: constraint, columns: columns)
    }

    private mutating func upsertedRow(_ layout: EntityLayout) -> [StoredValue] {
        var row = layout.columns.map { newValue(of: $0) }
        // The values of a stored row of the tree, which may be of any entity that shares the columns.
        let model = predicates.model
        let stored = stored.filter { model.layouts[$0.entityIndex].rootIndex == layout.rootIndex }
        guard !stored.isEmpty, random.chance(60) else { return row }
        let chosen = random.pick(stored)
        let columns = model.layouts[chosen.entityIndex].columns
        for (column, known) in columns.enumerated() where column < row.count {
            guard layout.columns[column].name == known.name else { break }
            let isUnique = layout.uniqueConstraints.contains { $0.columns.contains(column) }
            if random.chance(isUnique ? 80 : 40) { row[column] = chosen.value(column) }
        }
        return row
    }

    private mutating func newValue(of column: ColumnLayout) -> StoredValue {
        switch column.kind {
        case .reference(let destination):
            let family = predicates.model.layouts[destination].familyIndices
            let targets = stored.filter { family.contains($0.entityIndex) }
            if targets.isEmpty || random.chance(30) { return .null }
            return .int(random.chance(95) ? random.pick(targets).key : 77_777)
        case .attribute(let type):
            return column.isOptional && random.chance(25) ? .null : predicates.values.value(of: type)
        }
    }
}

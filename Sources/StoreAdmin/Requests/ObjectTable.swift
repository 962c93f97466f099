import ContextCore

/// Makes a table of an entity's objects with their keys, attributes, and references.
struct ObjectTable {
    let entity: EntityLayout
    let model: ObjectModel

    /// Returns a table of some rows of a batch, by their indexes.
    func rows(_ batch: RowBatch, _ indices: [Int]) -> RowSet {
        let showsEntity = entity.hasSubentities
        var columns = [RowSet.Column("id", isRightAligned: true)]
        if showsEntity { columns.append(.init("entity")) }
        columns += entity.columns.map { RowSet.Column($0.name, isRightAligned: $0.isNumber) }
        var rows = RowSet(columns, emptyText: "no objects")
        for row in indices {
            let key = batch.key(at: row)
            var cells = [RowSet.Cell(text: String(key), json: .number(String(key)))]
            if showsEntity { cells.append(.string(model.layouts[batch.entityIndex(at: row)].name)) }
            // The columns of a subentity start with those of its superentity, so the indexes are the same.
            for (index, column) in entity.columns.enumerated() {
                cells.append(ValueText.cell(batch.value(index, at: row), column.kind, in: model))
            }
            rows.append(cells)
        }
        return rows
    }

    /// Returns a table of some columns of some rows, by their indexes.
    func rows(_ batch: RowBatch, _ indices: [Int], columns: [Int]) -> RowSet {
        let layouts = columns.map { entity.columns[$0] }
        var rows = RowSet(
            layouts.map { RowSet.Column($0.name, isRightAligned: $0.isNumber) }, emptyText: "no objects")
        for row in indices {
            rows.append(
                zip(columns, layouts).map { ValueText.cell(batch.value($0, at: row), $1.kind, in: model) })
        }
        return rows
    }
}

extension ColumnLayout {
    /// Whether the column contains numbers, which tables align to the right.
    var isNumber: Bool {
        guard case .attribute(let type) = kind else { return false }
        switch type {
        case .int16, .int32, .int64, .float, .double, .decimal: return true
        default: return false
        }
    }
}

import ContextCore

/// The result of a request, in a form that can be compared.
enum Answer: Equatable, CustomStringConvertible {
    case lines([[StoredValue]])
    case changes([HistoryChange], [String])
    case failure(StoreError.Code)

    init(rows: RowBatch, _ model: ObjectModel) {
        self = .lines(
            (0..<rows.count).map { row in
                let layout = model.layouts[rows.entityIndex(at: row)]
                let head: [StoredValue] = [
                    .int(rows.key(at: row)), .int(rows.version(at: row)), .string(layout.name),
                ]
                return head
                    + layout.columns.indices.map { column in
                        rows.loadedColumns?.contains(column) ?? true ? rows.value(column, at: row) : .null
                    }
            })
    }

    init(changes: [HistoryChange], conflicts: [RowConflict]) {
        self = .changes(changes, conflicts.map { "\($0)" }.sorted())
    }

    var description: String {
        switch self {
        case .lines(let lines): lines.map { "\n    \($0)" }.joined()
        case .changes(let changes, let conflicts):
            changes.map { "\n    \($0)" }.joined() + conflicts.map { "\n    \($0)" }.joined()
        case .failure(let code): "\(code)"
        }
    }
}

#if SQLite
import ContextCore
import SQLStore

/// Reads the answer of a query straight into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns
    /// Whether the statement hands its rows to the gathering function.
    var isGathered = false
    /// How many bytes of text and data a batch may hold.
    var heapLimit = RowBatchBuilder.heapLimit

    /// Runs a statement to its end.
    ///
    /// - Parameter sortsByKey: Whether rows are to be put in the order of their keys.
    func rows(
        _ statement: SQLiteStatement, expecting count: Int = 64, sortsByKey: Bool = false
    ) throws(StoreError) -> RowBatch {
        var rows = PackedRows(
            statement,
            RowBatchBuilder(
                model: model, loadedColumns: selection.loadedColumns, rowCapacity: count * 64,
                heapCapacity: count * 32, heapLimit: heapLimit))
        try append(statement, to: &rows)
        return try rows.finish(sortsByKey: sortsByKey)
    }

    /// Runs a statement to its end, and appends its rows.
    func append(_ statement: SQLiteStatement, to rows: inout PackedRows) throws(StoreError) {
        try rows.expecting(selection) { rows throws(StoreError) in
            if isGathered { return try statement.gather(into: &rows) }
            while try statement.step() { try rows.append(statement) }
        }
    }
}
#endif

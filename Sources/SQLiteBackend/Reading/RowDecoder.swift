#if SQLite
import ContextCore
import SQLStore

/// Decodes the result of a query directly into packed rows.
struct RowDecoder {
    let model: ObjectModel
    let selection: SelectedColumns
    /// Whether the statement passes its rows to the row-gathering function.
    var isGathered = false
    /// The maximum number of bytes of text and data in a batch.
    var heapLimit = RowBatchBuilder.heapLimit

    /// Runs a statement to its end and returns its rows.
    ///
    /// - Parameter sortsByKey: Whether to sort the rows by their keys.
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

    /// Runs a statement to its end and appends its rows.
    func append(_ statement: SQLiteStatement, to rows: inout PackedRows) throws(StoreError) {
        try rows.withSelection(selection) { rows throws(StoreError) in
            if isGathered { return try statement.gather(into: &rows) }
            while try statement.step() { try rows.append(statement) }
        }
    }
}
#endif

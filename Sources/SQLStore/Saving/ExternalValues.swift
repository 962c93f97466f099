package import ContextCore

/// Rows to save, split into the values in their own table and external values.
package struct ExternalValues {
    /// The rows without external values.
    package let rows: RowBatch
    /// The columns that may have external values.
    package let parts: [Part]

    /// The values of one column.
    package struct Part {
        package let column: Int
        package let external: ExternalColumn
        /// The complete rows.
        package let source: RowBatch
        /// The indices of rows whose value is external.
        package let externalRows: [Int]
        /// The indices of rows whose value is in the row.
        package let inlineRows: [Int]
    }

    /// - Parameter columns: The columns to write.
    package init(
        _ rows: RowBatch, of entity: EntityMapping, columns: some Sequence<Int>, _ model: ObjectModel
    ) throws(StoreError) {
        parts = entity.externalColumns(among: columns).compactMap { column in
            entity.columns[column].external.map { Part(rows, column, $0) }
        }
        if parts.allSatisfy(\.externalRows.isEmpty) {
            self.rows = rows
            return
        }
        var left: [Set<Int>] = Array(repeating: Set(entity.columns.indices), count: rows.count)
        for part in parts {
            for row in part.externalRows { left[row].remove(part.column) }
        }
        var builder = RowBatchBuilder(model: model)
        for row in 0..<rows.count { builder.append(row, of: rows, columns: left[row]) }
        self.rows = try builder.finish()
    }
}

extension ExternalValues.Part {
    fileprivate init(_ rows: RowBatch, _ column: Int, _ external: ExternalColumn) {
        self.column = column
        self.external = external
        source = rows
        var (externalRows, inlineRows): ([Int], [Int]) = ([], [])
        for row in 0..<rows.count {
            if rows.byteCount(column, at: row) >= external.threshold {
                externalRows.append(row)
            } else {
                inlineRows.append(row)
            }
        }
        (self.externalRows, self.inlineRows) = (externalRows, inlineRows)
    }

    /// Passes the external values to a closure in batches of about a number of bytes, as rows whose other columns are null.
    package func batches(
        maximumBytes: Int, _ model: ObjectModel, _ body: (RowBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
        var next = 0
        while next < externalRows.count {
            var builder = RowBatchBuilder(model: model)
            var bytes = 0
            while next < externalRows.count, bytes < maximumBytes {
                builder.append(externalRows[next], of: source, columns: [column])
                bytes += source.byteCount(column, at: externalRows[next])
                next += 1
            }
            try body(builder.finish())
        }
    }
}

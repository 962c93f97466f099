package import ContextCore

/// Checks the size of rows; databases limit a value or a row to about a gigabyte.
package struct RowSizeCheck {
    /// The maximum number of bytes of text and data in one row, on every database: SQLite limits a row to 1,000,000,000 bytes including
    /// its numbers, and PostgreSQL uses some bytes of its gigabyte itself.
    package static let limit = 999_900_000

    private let limit: Int

    package init(limit: Int = RowSizeCheck.limit) { self.limit = limit }

    /// Checks the rows that a save inserts or changes.
    ///
    /// The bytes of each row are only counted if the whole batch exceeds the limit of one row.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` with the object and its largest property.
    package func check(_ changes: ChangeSet, _ model: ObjectModel) throws(StoreError) {
        for group in changes.inserts { try check(group.rows, model) }
        for group in changes.updates { try check(group.rows, model) }
    }

    /// Checks the rows of one batch.
    package func check(_ rows: RowBatch, _ model: ObjectModel) throws(StoreError) {
        if rows.heapSize <= limit { return }
        for row in 0..<rows.count {
            let layout = model.layouts[rows.entityIndex(at: row)]
            let sizes = layout.columns.indices.filter { layout.columns[$0].hasVariableSize }.map {
                (column: $0, bytes: rows.byteCount($0, at: row))
            }
            let total = sizes.reduce(0) { $0 + $1.bytes }
            guard total > limit, let largest = sizes.max(by: { $0.bytes < $1.bytes }) else { continue }
            throw StoreError(
                .unsupportedRequest,
                "\(layout.name) \(rows.key(at: row)) has \(total) bytes of text and data, and an object can have at most \(limit). "
                    + "Nothing was saved.",
                remedy:
                    "Store large data in files: \(layout.name).\(layout.columns[largest.column].name) has \(largest.bytes) bytes."
            )
        }
    }
}

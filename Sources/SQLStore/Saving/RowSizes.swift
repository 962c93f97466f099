package import ContextCore

/// How large a row may be: no database keeps a value or a row of more than a gigabyte.
package struct RowSizes {
    /// The most bytes that the texts and data of one row may take, on every database: SQLite keeps no row of more than 1,000,000,000
    /// bytes, its numbers included, and PostgreSQL needs some bytes of its gigabyte for itself.
    package static let most = 999_900_000

    private let most: Int

    package init(most: Int = RowSizes.most) { self.most = most }

    /// Checks the rows that a save inserts or changes.
    ///
    /// Their texts and data are only counted where all of them together are larger than one row may be.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` with the object and its largest property.
    package func check(_ changes: ChangeSet, _ model: ObjectModel) throws(StoreError) {
        for group in changes.inserts { try check(group.rows, model) }
        for group in changes.updates { try check(group.rows, model) }
    }

    /// Checks the rows of one batch.
    package func check(_ rows: RowBatch, _ model: ObjectModel) throws(StoreError) {
        if rows.heapSize <= most { return }
        for row in 0..<rows.count {
            let layout = model.layouts[rows.entityIndex(at: row)]
            let sizes = layout.columns.indices.filter { layout.columns[$0].isOfAnySize }.map {
                (column: $0, bytes: rows.byteCount($0, at: row))
            }
            let total = sizes.reduce(0) { $0 + $1.bytes }
            guard total > most, let largest = sizes.max(by: { $0.bytes < $1.bytes }) else { continue }
            throw StoreError(
                .unsupportedRequest,
                "\(layout.name) \(rows.key(at: row)) holds \(total) bytes of text and data, more than the \(most) that a store keeps "
                    + "in one object; nothing was saved.",
                remedy:
                    "Keep large data in files: \(layout.name).\(layout.columns[largest.column].name) has \(largest.bytes) bytes."
            )
        }
    }
}

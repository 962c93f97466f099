#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Binds columns of packed rows to a statement's placeholders, without making a Swift value of any of them.
struct RowBinding {
    private struct Column {
        let column: Int
        let offset: Int
        let type: SQLType
    }

    private let columns: [Column]

    /// Prepares for some columns of an entity's rows, in the order of the placeholders.
    init(_ entity: EntityMapping, columns: [Int]) {
        self.columns = columns.map { column in
            Column(
                column: column, offset: entity.layout.fields.offsets[column],
                type: entity.columns[column].type)
        }
    }

    /// Binds a row's columns from a placeholder on; the batch must outlive the stepping.
    func bind(_ batch: RowBatch, row: Int, to statement: SQLiteStatement, from first: Int32)
        throws(StoreError)
    {
        let base = UnsafeRawPointer(batch.row(row))
        var index = first
        for column in columns {
            if RowBatch.isNull(base, column.column) {
                statement.bindNull(index)
            } else {
                try bind(batch, base + column.offset, column.type, to: statement, index)
            }
            index += 1
        }
    }

    @inline(__always)
    private func bind(
        _ batch: RowBatch, _ field: UnsafeRawPointer, _ type: SQLType, to statement: SQLiteStatement,
        _ index: Int32
    ) throws(StoreError) {
        switch type {
        case .key, .bool, .integer, .date: statement.bind(index, field.load(as: Int64.self))
        case .double: statement.bind(index, field.load(as: Double.self))
        case .text, .json: try statement.bindText(index, batch.bytes(field))
        case .data: try statement.bindBlob(index, batch.bytes(field))
        case .uuid: try statement.bindBlob(index, UnsafeRawBufferPointer(start: field, count: 16))
        case .decimal, .anyDecimal: try statement.bind(index, decimal: batch.decimal(field), as: type)
        case .keys: programmingError("No column keeps many keys.")
        }
    }
}
#endif

#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Binds columns of packed rows to a statement's parameters, without creating Swift values.
struct RowBinding {
    private struct Column {
        let column: Int
        let offset: Int
        let type: SQLType
    }

    private let columns: [Column]

    /// Creates a binding for columns of an entity's rows, in the order of the parameters.
    init(_ entity: EntityMapping, columns: [Int]) {
        self.columns = columns.map { column in
            Column(
                column: column, offset: entity.layout.fields.offsets[column],
                type: entity.columns[column].type)
        }
    }

    /// Binds a row's columns, starting at a parameter; the batch must stay valid while the statement is stepped.
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
        case .keys: programmingError("A column can't contain a list of keys.")
        }
    }
}
#endif

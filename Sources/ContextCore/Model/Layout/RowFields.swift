/// Where each column of an entity stands in a packed row.
///
/// See ``RowBatch`` for the format.
package struct RowFields: Sendable {
    /// Bytes before the first null word: those of a ``PackedRowHeader``.
    static let headerSize = MemoryLayout<PackedRowHeader>.stride

    /// The byte at which each column's field begins.
    package let offsets: [Int]
    /// The bytes of a whole row.
    package let rowSize: Int
    /// The columns whose fields point into the heap.
    package let heapColumns: [Int]
    /// The columns whose values may lie outside of their row.
    ///
    /// Where such a column is null, its field holds the version at which a value was saved that was not fetched with the row, or 0.
    package let externalColumns: [Int]
    /// How many 64-bit words say which columns are null; there is one in any case.
    package let nullWords: Int

    package init(_ columns: [ColumnLayout]) {
        nullWords = max(1, (columns.count + 63) / 64)
        var next = Self.headerSize + nullWords * 8
        offsets = columns.map { column in
            defer { next += Self.size(of: column.kind) }
            return next
        }
        rowSize = next
        heapColumns = columns.indices.filter { Self.isInHeap(columns[$0].kind) }
        externalColumns = columns.indices.filter { columns[$0].isExternal }
    }

    /// Where a column stands, for whoever writes rows.
    package func place(of column: Int) -> FieldPlace { FieldPlace(column: column, offset: offsets[column]) }

    private static func isInHeap(_ kind: ColumnLayout.Kind) -> Bool {
        switch kind {
        case .attribute(.string), .attribute(.url), .attribute(.codable), .attribute(.data),
            .attribute(.decimal):
            true
        case .attribute, .reference: false
        }
    }

    private static func size(of kind: ColumnLayout.Kind) -> Int {
        if case .attribute(.uuid) = kind { 16 } else { 8 }
    }
}

/// Where a slot's first column lies in a packed row; column -1 where a slot has none.
package struct SlotPlace: Sendable {
    package let column: Int
    package let offset: Int
    /// Whether the slot has this one column and no others.
    let isWhole: Bool
    /// Whether it is an attribute of one value.
    let isValue: Bool

    static func places(of properties: [PropertyLayout], _ fields: RowFields) -> [SlotPlace] {
        properties.map { property in
            guard let column = property.columns.first else {
                return SlotPlace(column: -1, offset: 0, isWhole: false, isValue: false)
            }
            return SlotPlace(
                column: column, offset: fields.offsets[column], isWhole: property.columns.count == 1,
                isValue: property.relationship == nil && !property.isComposite)
        }
    }
}

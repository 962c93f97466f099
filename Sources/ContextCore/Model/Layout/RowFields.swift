/// The offset of each column of an entity in a packed row.
///
/// See ``RowBatch`` for the format.
package struct RowFields: Sendable {
    /// The number of bytes before the first null word: the size of a ``PackedRowHeader``.
    static let headerSize = MemoryLayout<PackedRowHeader>.stride

    /// The offset of each column's field in bytes.
    package let offsets: [Int]
    /// The size of a row in bytes.
    package let rowSize: Int
    /// The columns whose fields point into the heap.
    package let heapColumns: [Int]
    /// The columns whose values may be stored outside of their row.
    ///
    /// If such a column is null, its field holds the version of a saved value that was not fetched with the row, or 0 if there is none.
    package let externalColumns: [Int]
    /// The number of 64-bit words that say which columns are null; at least one.
    package let nullWordCount: Int

    package init(_ columns: [ColumnLayout]) {
        nullWordCount = max(1, (columns.count + 63) / 64)
        var next = Self.headerSize + nullWordCount * 8
        offsets = columns.map { column in
            defer { next += Self.size(of: column.kind) }
            return next
        }
        rowSize = next
        heapColumns = columns.indices.filter { Self.isInHeap(columns[$0].kind) }
        externalColumns = columns.indices.filter { columns[$0].isExternal }
    }

    /// Returns the location of a column, for code that writes rows.
    package func location(of column: Int) -> FieldLocation {
        FieldLocation(column: column, offset: offsets[column])
    }

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

/// The location of a slot's first column in a packed row; the column is -1 if the slot has none.
package struct SlotLocation: Sendable {
    package let column: Int
    package let offset: Int
    /// Whether the slot has exactly one column.
    let hasSingleColumn: Bool
    /// Whether the slot is an attribute, but not a composite.
    let isSimpleAttribute: Bool

    static func slotLocations(of properties: [PropertyLayout], _ fields: RowFields) -> [SlotLocation] {
        properties.map { property in
            guard let column = property.columns.first else {
                return SlotLocation(column: -1, offset: 0, hasSingleColumn: false, isSimpleAttribute: false)
            }
            return SlotLocation(
                column: column, offset: fields.offsets[column], hasSingleColumn: property.columns.count == 1,
                isSimpleAttribute: property.relationship == nil && !property.isComposite)
        }
    }
}

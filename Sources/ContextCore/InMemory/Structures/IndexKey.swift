/// An entry of an index: a row's encoded values, and its key as a tiebreaker.
struct IndexKey: Comparable, Sendable {
    let bytes: OrderedBytes
    let key: Int64

    @inline(__always)
    static func < (left: IndexKey, right: IndexKey) -> Bool {
        left.bytes == right.bytes ? left.key < right.key : left.bytes < right.bytes
    }

    /// Returns the lower bound of the entries that start with the given values.
    static func lowerBound(of values: OrderedBytesWriter) -> IndexKey {
        IndexKey(bytes: values.bytes, key: .min)
    }

    /// Returns the exclusive upper bound of the entries that start with the given values.
    static func upperBound(of values: OrderedBytesWriter) -> IndexKey {
        var bound = values
        bound.append(0xFF as UInt8)
        return IndexKey(bytes: bound.bytes, key: .min)
    }
}

extension IndexShape {
    /// Returns the index entry of a row; nil if its entity isn't indexed.
    @inline(__always)
    func key(of row: StoredRow, _ layout: EntityLayout) -> IndexKey? {
        guard covers[layout.index] else { return nil }
        var values = OrderedBytesWriter()
        let memory = row.batch.row(row.index)
        for column in columns { values.append(column, of: memory, in: row.batch, layout) }
        return IndexKey(bytes: values.bytes, key: row.key)
    }

    /// Whether an indexed value of the row is null, so that unique constraints don't apply to the row.
    func hasNull(_ row: StoredRow) -> Bool {
        columns.contains { row.batch.isNull($0, at: row.index) }
    }
}

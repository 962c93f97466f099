/// An entry of an index: a row's values, and its key, so that rows with the same values stand side by side.
struct IndexKey: Comparable, Sendable {
    let bytes: OrderedBytes
    let key: Int64

    @inline(__always)
    static func < (left: IndexKey, right: IndexKey) -> Bool {
        left.bytes == right.bytes ? left.key < right.key : left.bytes < right.bytes
    }

    /// What every entry with such values, or with more values after them, is no less than.
    static func first(_ values: OrderedBytesWriter) -> IndexKey {
        IndexKey(bytes: values.bytes, key: .min)
    }

    /// What every entry that begins with such values is less than, and every greater one is not.
    static func past(_ values: OrderedBytesWriter) -> IndexKey {
        var past = values
        past.append(0xFF as UInt8)
        return IndexKey(bytes: past.bytes, key: .min)
    }
}

extension IndexShape {
    /// The entry of a row; nil when its entity isn't in the index.
    @inline(__always)
    func key(of row: StoredRow, _ layout: EntityLayout) -> IndexKey? {
        guard covers[layout.index] else { return nil }
        var values = OrderedBytesWriter()
        let memory = row.batch.row(row.index)
        for column in columns { values.append(column, of: memory, in: row.batch, layout) }
        return IndexKey(bytes: values.bytes, key: row.key)
    }

    /// Whether one of the row's values is missing, so that it collides with no other row.
    func hasNull(_ row: StoredRow) -> Bool {
        columns.contains { row.batch.isNull($0, at: row.index) }
    }
}

/// The rows of one inheritance tree and their indexes.
struct RowTable: Sendable {
    let shapes: [IndexShape]
    private(set) var rows = SortedMap<Int64, StoredRow>()
    private(set) var indexes: [SortedMap<IndexKey, Void>]

    init(_ shapes: [IndexShape]) {
        self.shapes = shapes
        indexes = shapes.map { _ in SortedMap() }
    }

    /// Inserts a row or replaces the row with its key.
    ///
    /// Appends the row's new values of unique constraints to `claims`.
    mutating func upsert(
        _ row: StoredRow, _ layout: EntityLayout, _ model: ObjectModel, _ claims: inout [UniqueClaim]
    ) {
        let old = rows.updateValue(row, forKey: row.key)
        let oldLayout = old.map { model.layouts[$0.entityIndex] }
        for (index, shape) in shapes.enumerated() {
            let new = shape.key(of: row, layout)
            if let old, let oldLayout {
                let previous = shape.key(of: old, oldLayout)
                if previous == new { continue }
                if let previous { indexes[index].removeValue(forKey: previous) }
            }
            guard let new else { continue }
            indexes[index].updateValue((), forKey: new)
            if !shape.constraints.isEmpty, !shape.hasNull(row) {
                claims.append(
                    UniqueClaim(
                        rootIndex: layout.rootIndex, index: index, entry: new, entityIndex: layout.index))
            }
        }
    }

    /// Removes the row with a key and returns it; nil if there is none.
    mutating func remove(_ key: Int64, _ model: ObjectModel) -> StoredRow? {
        guard let old = rows.removeValue(forKey: key) else { return nil }
        let layout = model.layouts[old.entityIndex]
        for (index, shape) in shapes.enumerated() {
            if let entry = shape.key(of: old, layout) { indexes[index].removeValue(forKey: entry) }
        }
        return old
    }

    /// Calls a closure with the keys of the rows with the given values of the leading columns, in index order.
    func forEachKey(in index: Int, withPrefix values: OrderedBytesWriter, _ body: (Int64) throws -> Void)
        rethrows
    {
        try forEachKey(in: index, from: .lowerBound(of: values), below: .upperBound(of: values), body)
    }

    /// Calls a closure with the keys in a range of an index.
    func forEachKey(
        in index: Int, from start: IndexKey, below end: IndexKey, _ body: (Int64) throws -> Void
    ) rethrows {
        try indexes[index].forEach(from: start) { entry, _ in
            guard entry < end else { return false }
            try body(entry.key)
            return true
        }
    }

    /// Calls a closure with the sorted keys of the rows that reference a row.
    func forEachKey(in index: Int, referringTo key: Int64, _ body: (Int64) throws -> Void) rethrows {
        var values = OrderedBytesWriter()
        values.append(.int(key))
        try forEachKey(in: index, withPrefix: values, body)
    }
}

/// The rows of one inheritance tree and their indexes.
struct RowTable: Sendable {
    let shapes: [IndexShape]
    private(set) var rows = SortedMap<Int64, StoredRow>()
    private(set) var indexes: [SortedMap<IndexKey, Void>]

    init(_ shapes: [IndexShape]) {
        self.shapes = shapes
        indexes = shapes.map { _ in SortedMap() }
    }

    /// Puts a row in the place of the one that has its key, if there is one, and notes its new values of unique constraints.
    mutating func put(
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

    /// Takes a row out and returns it; nil when there is none.
    mutating func remove(_ key: Int64, _ model: ObjectModel) -> StoredRow? {
        guard let old = rows.removeValue(forKey: key) else { return nil }
        let layout = model.layouts[old.entityIndex]
        for (index, shape) in shapes.enumerated() {
            if let entry = shape.key(of: old, layout) { indexes[index].removeValue(forKey: entry) }
        }
        return old
    }

    /// Visits the keys of the rows whose values begin with some, in order of the other values and then of key.
    func forEachKey(in index: Int, withPrefix values: OrderedBytesWriter, _ body: (Int64) throws -> Void)
        rethrows
    {
        try forEachKey(in: index, from: .first(values), below: .past(values), body)
    }

    /// Visits the keys of a stretch of an index.
    func forEachKey(
        in index: Int, from start: IndexKey, below end: IndexKey, _ body: (Int64) throws -> Void
    ) rethrows {
        try indexes[index].forEach(from: start) { entry, _ in
            guard entry < end else { return false }
            try body(entry.key)
            return true
        }
    }

    /// Visits the keys of the rows that refer to another, in order.
    func forEachKey(in index: Int, referringTo key: Int64, _ body: (Int64) throws -> Void) rethrows {
        var values = OrderedBytesWriter()
        values.append(.int(key))
        try forEachKey(in: index, withPrefix: values, body)
    }
}

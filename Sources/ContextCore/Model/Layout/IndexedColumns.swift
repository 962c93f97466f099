/// The columns of an index or a unique constraint whose values may be of any size: texts, URLs, coded values and data.
///
/// PostgreSQL keeps no more than 2,704 bytes of a row in an index, so no store does, whatever its database would take: what is saved in one
/// can be saved in any other.
package struct IndexedColumns: Sendable, Hashable {
    /// The columns, by position in the entity's rows.
    let columns: [Int]
    /// How many bytes one row may have in them.
    let mostBytes: Int

    /// The most bytes of text and data that a row may have in an index with so many other columns; none of those takes more than 32.
    package static func mostBytes(beside others: Int) -> Int { 2600 - 32 * others }

    /// - Parameter columns: All columns of the index; nil where none of them is of any size.
    init?(_ columns: [Int], of all: [ColumnLayout]) {
        let large = columns.filter { all[$0].isOfAnySize }.sorted()
        if large.isEmpty { return nil }
        self.columns = large
        mostBytes = Self.mostBytes(beside: columns.count - large.count)
    }

    /// Those of declared indexes and unique constraints, each once.
    static func all(
        _ constraints: [UniqueColumns], _ indexes: [IndexDescription], properties: [PropertyLayout],
        columns: [ColumnLayout]
    ) -> [IndexedColumns] {
        let indexed = indexes.map { index in
            index.elements.flatMap { element -> [Int] in
                if let column = columns.firstIndex(where: { $0.name == element.property }) { return [column] }
                return properties.first { $0.name == element.property }.map { Array($0.columns) } ?? []
            }
        }
        var all: [IndexedColumns] = []
        for group in constraints.map(\.columns) + indexed {
            guard let found = IndexedColumns(group, of: columns) else { continue }
            if let place = all.firstIndex(where: { $0.columns == found.columns }) {
                if found.mostBytes < all[place].mostBytes { all[place] = found }
            } else {
                all.append(found)
            }
        }
        return all
    }

    /// Refuses a value that no index keeps.
    func refusal(_ object: String, _ names: [String], _ bytes: Int) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "\(object) has \(bytes) bytes in \(names.joined(separator: ", ")), which \(names.count == 1 ? "is" : "are") indexed or unique: "
                + "the index keeps at most \(mostBytes); nothing was saved.",
            remedy:
                "Shorten the value, or leave the attribute out of indexes and unique constraints: a digest of it can be unique."
        )
    }
}

/// A row with more bytes in the columns of an index than the index keeps.
struct OversizedRow {
    let row: Int
    let index: IndexedColumns
    let bytes: Int
}

extension ColumnLayout {
    /// Whether values of the column are as large as a program makes them.
    package var isOfAnySize: Bool {
        switch kind {
        case .attribute(.string), .attribute(.url), .attribute(.codable), .attribute(.data): true
        default: false
        }
    }
}

extension EntityLayout {
    /// The rows that don't fit into the entity's indexes, or into those with a changed column.
    ///
    /// Rows are only looked at where all of them together have more texts and data than one index row keeps.
    func oversizedRows(in rows: RowBatch, changing changed: [Int]?) -> [OversizedRow] {
        var found: [OversizedRow] = []
        for index in indexedColumns where rows.heapSize > index.mostBytes {
            if let changed, !index.columns.contains(where: changed.contains) { continue }
            for row in 0..<rows.count {
                let bytes = index.columns.reduce(0) { $0 + rows.byteCount($1, at: row) }
                if bytes > index.mostBytes {
                    found.append(OversizedRow(row: row, index: index, bytes: bytes))
                }
            }
        }
        return found
    }

    /// Checks that rows fit into the entity's indexes, or into those with a changed column.
    func checkIndexed(_ rows: RowBatch, changing changed: [Int]?) throws(StoreError) {
        guard let first = oversizedRows(in: rows, changing: changed).first else { return }
        throw first.index.refusal("\(name) \(rows.key(at: first.row))", names(of: first.index), first.bytes)
    }

    /// Checks that values which many rows are given fit into the entity's indexes.
    func checkIndexed(_ values: [Int: StoredValue]) throws(StoreError) {
        for index in indexedColumns {
            let bytes = index.columns.reduce(0) { $0 + (values[$1]?.byteCount ?? 0) }
            if bytes <= index.mostBytes { continue }
            throw index.refusal("A batch of \(name)", names(of: index), bytes)
        }
    }

    /// The names of an index's columns of text and data.
    func names(of index: IndexedColumns) -> [String] { index.columns.map { columns[$0].name } }
}

extension StoredValue {
    /// How many bytes of text or data the value has.
    package var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: 0
        }
    }
}

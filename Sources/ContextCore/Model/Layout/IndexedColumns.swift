/// The columns of an index or a unique constraint whose values have no fixed size: text, URLs, codable values and data.
///
/// PostgreSQL allows 2,704 bytes per index row. All stores apply this limit, even if their database allows more, so that data of one store
/// can be saved in any other.
package struct IndexedColumns: Sendable, Hashable {
    /// The columns, by position in the entity's rows.
    let columns: [Int]
    /// The maximum number of bytes that one row may have in these columns.
    let mostBytes: Int

    /// Returns the maximum number of bytes of text and data in an index with other columns, each of which takes at most 32 bytes.
    package static func mostBytes(beside others: Int) -> Int { 2600 - 32 * others }

    /// Creates the value from all columns of an index; returns nil if all of them have a fixed size.
    init?(_ columns: [Int], of all: [ColumnLayout]) {
        let large = columns.filter { all[$0].isOfAnySize }.sorted()
        if large.isEmpty { return nil }
        self.columns = large
        mostBytes = Self.mostBytes(beside: columns.count - large.count)
    }

    /// Returns the variable-size columns of declared indexes and unique constraints, without duplicates.
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

    /// Returns the error for a value that is too large for the index.
    func refusal(_ object: String, _ names: [String], _ bytes: Int) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "\(object) has \(bytes) bytes in \(names.joined(separator: ", ")), which \(names.count == 1 ? "is" : "are") indexed or unique: "
                + "an index entry can have at most \(mostBytes) bytes. Nothing was saved.",
            remedy:
                "Shorten the value, or remove the attribute from indexes and unique constraints: a digest of it can be unique."
        )
    }
}

/// A row that exceeds the size limit of an index.
struct OversizedRow {
    let row: Int
    let index: IndexedColumns
    let bytes: Int
}

extension ColumnLayout {
    /// Whether the column's values have no fixed size.
    package var isOfAnySize: Bool {
        switch kind {
        case .attribute(.string), .attribute(.url), .attribute(.codable), .attribute(.data): true
        default: false
        }
    }
}

extension EntityLayout {
    /// Returns the rows that exceed the size limit of an index, or of an index with a changed column.
    ///
    /// It inspects single rows only if all rows together exceed the limit.
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

    /// Throws if a row exceeds the size limit of an index, or of an index with a changed column.
    func checkIndexed(_ rows: RowBatch, changing changed: [Int]?) throws(StoreError) {
        guard let first = oversizedRows(in: rows, changing: changed).first else { return }
        throw first.index.refusal("\(name) \(rows.key(at: first.row))", names(of: first.index), first.bytes)
    }

    /// Throws if values of a batch update exceed the size limit of an index.
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
    /// The number of bytes of text or data.
    package var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: 0
        }
    }
}

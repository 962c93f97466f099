/// A row that exceeds the size limit of an index.
struct OversizedRow {
    let row: Int
    let index: IndexedColumns
    let bytes: Int
}

extension EntityLayout {
    /// Returns the rows that exceed the size limit of an index, or of an index with a changed column.
    ///
    /// It inspects single rows only if all rows together exceed the limit.
    func oversizedRows(in rows: RowBatch, changing changed: [Int]?) -> [OversizedRow] {
        var found: [OversizedRow] = []
        for index in indexedColumns where rows.heapSize > index.maximumBytes {
            if let changed, !index.columns.contains(where: changed.contains) { continue }
            for row in 0..<rows.count {
                let bytes = index.columns.reduce(0) { $0 + rows.byteCount($1, at: row) }
                if bytes > index.maximumBytes {
                    found.append(OversizedRow(row: row, index: index, bytes: bytes))
                }
            }
        }
        return found
    }

    /// Throws if a row exceeds the size limit of an index, or of an index with a changed column.
    func checkIndexSizes(_ rows: RowBatch, changing changed: [Int]?) throws(StoreError) {
        guard let first = oversizedRows(in: rows, changing: changed).first else { return }
        throw first.index.oversizeError(
            "\(name) \(rows.key(at: first.row))", names(of: first.index), first.bytes)
    }

    /// Throws if values of a batch update exceed the size limit of an index.
    func checkIndexSizes(_ values: [Int: StoredValue]) throws(StoreError) {
        for index in indexedColumns {
            let bytes = index.columns.reduce(0) { $0 + (values[$1]?.byteCount ?? 0) }
            if bytes <= index.maximumBytes { continue }
            throw index.oversizeError("A batch of \(name)", names(of: index), bytes)
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

extension IndexedColumns {
    /// Returns the error for a value that is too large for the index.
    fileprivate func oversizeError(_ object: String, _ names: [String], _ bytes: Int) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "\(object) has \(bytes) bytes in \(names.joined(separator: ", ")), which \(names.count == 1 ? "is" : "are") indexed or unique: "
                + "an index entry can have at most \(maximumBytes) bytes. Nothing was saved.",
            remedy:
                "Shorten the value, or remove the attribute from indexes and unique constraints: a digest of it can be unique."
        )
    }
}

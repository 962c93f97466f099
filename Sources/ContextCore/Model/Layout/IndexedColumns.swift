/// The columns of an index or a unique constraint whose values may be of any size: texts, URLs, coded values and data.
///
/// PostgreSQL keeps no more than 2,704 bytes of a row in an index, so no store does, whatever its database would take: what is saved in one
/// can be saved in any other.
package struct IndexedColumns: Sendable, Hashable {
    /// How many bytes of an index's texts and data one row may have.
    package static let mostBytes = 2600

    /// The columns, by position in the entity's rows.
    let columns: [Int]

    /// - Parameter columns: All columns of the index; nil where none of them is of any size.
    init?(_ columns: [Int], of all: [ColumnLayout]) {
        let large = columns.filter { all[$0].isOfAnySize }.sorted()
        if large.isEmpty { return nil }
        self.columns = large
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
            guard let found = IndexedColumns(group, of: columns), !all.contains(found) else { continue }
            all.append(found)
        }
        return all
    }

    /// Refuses a value that no index keeps.
    static func refusal(_ object: String, _ names: [String], _ bytes: Int) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "\(object) has \(bytes) bytes in \(names.joined(separator: ", ")), which \(names.count == 1 ? "is" : "are") indexed or unique: "
                + "an index keeps at most \(mostBytes); nothing was saved.",
            remedy:
                "Shorten the value, or leave the attribute out of indexes and unique constraints: a digest of it can be unique."
        )
    }
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
    /// Checks that rows fit into the entity's indexes, or into those with a changed column.
    ///
    /// Rows are only looked at where all of them together have more texts and data than one index row keeps.
    func checkIndexed(_ rows: RowBatch, changing changed: [Int]?) throws(StoreError) {
        if indexedColumns.isEmpty || rows.heapSize <= IndexedColumns.mostBytes { return }
        for group in indexedColumns {
            if let changed, !group.columns.contains(where: changed.contains) { continue }
            for row in 0..<rows.count {
                let bytes = group.columns.reduce(0) { $0 + rows.byteCount($1, at: row) }
                if bytes <= IndexedColumns.mostBytes { continue }
                throw IndexedColumns.refusal(
                    "\(name) \(rows.key(at: row))", group.columns.map { columns[$0].name }, bytes)
            }
        }
    }

    /// Checks that values which many rows are given fit into the entity's indexes.
    func checkIndexed(_ values: [Int: StoredValue]) throws(StoreError) {
        for group in indexedColumns {
            let bytes = group.columns.reduce(0) { $0 + (values[$1]?.byteCount ?? 0) }
            if bytes <= IndexedColumns.mostBytes { continue }
            throw IndexedColumns.refusal(
                "A batch of \(name)", group.columns.map { columns[$0].name }, bytes)
        }
    }
}

extension StoredValue {
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: 0
        }
    }
}

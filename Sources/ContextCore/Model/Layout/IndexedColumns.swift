/// The columns of an index or a unique constraint whose values have no fixed size: text, URLs, codable values and data.
///
/// PostgreSQL allows 2,704 bytes per index row. All stores apply this limit, even if their database allows more, so that data of one store
/// can be saved in any other.
package struct IndexedColumns: Sendable, Hashable {
    /// The columns, by position in the entity's rows.
    let columns: [Int]
    /// The maximum number of bytes that one row may have in these columns.
    let maximumBytes: Int

    /// Returns the maximum number of bytes of text and data in an index with other columns, each of which takes at most 32 bytes.
    package static func maximumBytes(otherColumns others: Int) -> Int { 2600 - 32 * others }

    /// Creates the value from all columns of an index; returns nil if all of them have a fixed size.
    init?(_ columns: [Int], of all: [ColumnLayout]) {
        let large = columns.filter { all[$0].hasVariableSize }.sorted()
        if large.isEmpty { return nil }
        self.columns = large
        maximumBytes = Self.maximumBytes(otherColumns: columns.count - large.count)
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
                if found.maximumBytes < all[place].maximumBytes { all[place] = found }
            } else {
                all.append(found)
            }
        }
        return all
    }
}

extension EntityLayout {
    /// Whether an index has text or data both in changed columns and in columns whose values aren't known.
    package func hasIndexedPart(of known: Set<Int>, changing changed: [Int]) -> Bool {
        indexedColumns.contains { index in
            index.columns.contains(where: changed.contains) && !index.columns.allSatisfy(known.contains)
        }
    }
}

extension ColumnLayout {
    /// Whether the column's values have no fixed size.
    package var hasVariableSize: Bool {
        switch kind {
        case .attribute(.string), .attribute(.url), .attribute(.codable), .attribute(.data): true
        default: false
        }
    }
}

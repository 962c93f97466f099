/// The ordered and sectioned rows of a results controller, as a value.
///
/// A copy is O(1). Inserting, removing and finding a row, by position or by key, takes logarithmic time.
struct ResultsList: Sendable {
    private(set) var rows = RankedTree<ResultsRow>()
    /// The sections; a list without sections always has one.
    private(set) var sections = RankedTree<SectionEntry>()
    /// The rows by key.
    private var rowsByKey = SortedMap<Int64, ResultsRow>()
    /// Whether the rows are divided into sections; a section is inserted with its first row and removed with its last row.
    let isSectioned: Bool

    /// Creates an empty list.
    init(isSectioned: Bool) {
        self.isSectioned = isSectioned
        if !isSectioned { sections.insert(SectionEntry(bytes: OrderedBytes(), value: .null)) }
    }

    /// Creates a list of unsorted rows and their sections.
    init(_ rows: [ResultsRow], sections: Set<SectionEntry>, isSectioned: Bool) {
        self.init(isSectioned: isSectioned)
        self.rows = RankedTree(sorted: rows.sorted { $0.precedes($1) })
        if isSectioned {
            self.sections = RankedTree(sorted: sections.sorted { $0.precedes($1) })
        }
        for row in rows { rowsByKey[row.key] = row }
    }

    /// The number of rows.
    var count: Int { rows.count }

    /// Returns the row of an object.
    func row(of key: Int64) -> ResultsRow? { rowsByKey[key] }

    // MARK: Changing

    /// Inserts a row, replacing its object's previous one.
    mutating func insert(_ row: ResultsRow, in section: SectionEntry) {
        if let old = rowsByKey.updateValue(row, forKey: row.key), !old.hasSamePosition(as: row) {
            removeRow(old)
        }
        rows.insert(row)
        if isSectioned { sections.insert(section) }
    }

    /// Removes an object's row, if it has one.
    mutating func remove(_ key: Int64) {
        if let old = rowsByKey.removeValue(forKey: key) { removeRow(old) }
    }

    private mutating func removeRow(_ row: ResultsRow) {
        rows.remove(row)
        guard isSectioned else { return }
        let section = SectionEntry(bytes: row.section, value: .null)
        let start = rows.rank(of: section.start)
        if start == rows.count || rows[start].section != row.section { sections.remove(section) }
    }

    // MARK: Positions

    /// Returns the position of the row with a rank.
    func location(atRank rank: Int) -> ListLocation {
        let row = rows[rank]
        let section = SectionEntry(bytes: row.section, value: .null)
        return ListLocation(
            rank: rank, section: sections.rank(of: section), sectionStart: rows.rank(of: section.start))
    }

    /// Returns the ranks of a section's rows.
    func range(ofSection index: Int) -> Range<Int> {
        let start = rows.rank(of: sections[index].start)
        let end = index + 1 < sections.count ? rows.rank(of: sections[index + 1].start) : rows.count
        return start..<end
    }

    /// Returns the rank of the row at a position.
    func rank(at position: ResultsPosition) -> Int {
        requirePrecondition(
            position.section >= 0 && position.section < sections.count,
            "The list has no section \(position.section): it has \(sections.count) sections.")
        let range = range(ofSection: position.section)
        requirePrecondition(
            position.row >= 0 && position.row < range.count,
            "Section \(position.section) of the list has no row \(position.row): it has \(range.count) rows.")
        return range.lowerBound + position.row
    }

    /// Returns the rank of an object's row.
    func rank(of key: Int64) -> Int? { rowsByKey[key].map { rows.rank(of: $0) } }
}

/// The position of a row in a list, with and without sections.
struct ListLocation: Hashable {
    /// The number of rows before it.
    let rank: Int
    /// The index of its section.
    let section: Int
    /// The number of rows before its section.
    let sectionStart: Int

    /// The index of the row in its section.
    var row: Int { rank - sectionStart }
}

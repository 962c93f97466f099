/// The rows of some results in their order and their sections, as a value.
///
/// A copy costs nothing; letting a row in or out, and finding one by place or by key, costs what the logarithm of their number does.
struct ResultsList: Sendable {
    private(set) var rows = RankedTree<ResultsRow>()
    /// In a list without sections, one that is always there.
    private(set) var sections = RankedTree<SectionEntry>()
    /// Where the rows stand, by key.
    private var places = SortedMap<Int64, ResultsRow>()
    /// Whether sections come with their first row and go with their last.
    let isSectioned: Bool

    /// Makes an empty list.
    init(isSectioned: Bool) {
        self.isSectioned = isSectioned
        if !isSectioned { sections.insert(SectionEntry(bytes: OrderedBytes(), value: .null)) }
    }

    /// Makes a list of rows in any order, and of the sections that they are in.
    init(_ rows: [ResultsRow], sections: Set<SectionEntry>, isSectioned: Bool) {
        self.init(isSectioned: isSectioned)
        self.rows = RankedTree(sorted: rows.sorted { $0.precedes($1) })
        if isSectioned {
            self.sections = RankedTree(sorted: sections.sorted { $0.precedes($1) })
        }
        for row in rows { places[row.key] = row }
    }

    /// How many rows there are.
    var count: Int { rows.count }

    /// The row of an object.
    func row(of key: Int64) -> ResultsRow? { places[key] }

    // MARK: Changing

    /// Lets a row in, instead of the one that its object had.
    mutating func insert(_ row: ResultsRow, in section: SectionEntry) {
        if let old = places.updateValue(row, forKey: row.key), !old.stands(where: row) { take(out: old) }
        rows.insert(row)
        if isSectioned { sections.insert(section) }
    }

    /// Lets an object's row go, if it has one.
    mutating func remove(_ key: Int64) {
        if let old = places.removeValue(forKey: key) { take(out: old) }
    }

    private mutating func take(out row: ResultsRow) {
        rows.remove(row)
        guard isSectioned else { return }
        let section = SectionEntry(bytes: row.section, value: .null)
        let start = rows.rank(of: section.start)
        if start == rows.count || rows[start].section != row.section { sections.remove(section) }
    }

    // MARK: Places

    /// Where the row with a rank stands.
    func place(atRank rank: Int) -> ListPlace {
        let row = rows[rank]
        let section = SectionEntry(bytes: row.section, value: .null)
        return ListPlace(
            rank: rank, section: sections.rank(of: section), sectionStart: rows.rank(of: section.start))
    }

    /// The ranks of a section's rows.
    func range(ofSection index: Int) -> Range<Int> {
        let start = rows.rank(of: sections[index].start)
        let end = index + 1 < sections.count ? rows.rank(of: sections[index + 1].start) : rows.count
        return start..<end
    }

    /// The rank of the row at a place.
    func rank(at position: ResultsPosition) -> Int {
        requirePrecondition(
            position.section >= 0 && position.section < sections.count,
            "There is no section \(position.section).")
        let range = range(ofSection: position.section)
        requirePrecondition(
            position.row >= 0 && position.row < range.count,
            "There is no row \(position.row) in section \(position.section).")
        return range.lowerBound + position.row
    }

    /// The rank of an object's row.
    func rank(of key: Int64) -> Int? { places[key].map { rows.rank(of: $0) } }
}

/// Where a row stands in a list.
struct ListPlace: Hashable {
    /// How many rows stand before it.
    let rank: Int
    /// How many sections stand before its own.
    let section: Int
    /// How many rows stand before its section.
    let sectionStart: Int

    /// How many rows of its section stand before it.
    var row: Int { rank - sectionStart }
}

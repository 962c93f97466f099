/// What became of the rows of a list, by comparing it with what it was.
struct ListEdits {
    /// A row that stands elsewhere, or may.
    struct Shift {
        let row: ResultsRow
        let oldRank: Int
        let newRank: Int
        let changesSection: Bool
    }

    /// Old ranks of rows that are gone, in order.
    private(set) var deleted: [Int] = []
    /// New ranks of rows that came, in order.
    private(set) var inserted: [Int] = []
    /// Rows whose values are others, in their new order.
    private(set) var shifted: [Shift] = []
    /// New ranks of rows that stand where they stood, and whose objects have changed, in order.
    private(set) var updated: [Int] = []

    init(from old: ResultsList, to new: ResultsList) {
        let changes = TreeChanges(from: old.rows, to: new.rows)
        updated = changes.replaced.map(\.rank)
        var gone: [Int64: TreeChanges<ResultsRow>.Entry] = [:]
        for entry in changes.removed { gone[entry.element.key] = entry }
        for entry in changes.added {
            guard let before = gone.removeValue(forKey: entry.element.key) else {
                inserted.append(entry.rank)
                continue
            }
            shifted.append(
                Shift(
                    row: entry.element, oldRank: before.rank, newRank: entry.rank,
                    changesSection: before.element.section != entry.element.section))
        }
        deleted = gone.values.map(\.rank).sorted()
    }
}

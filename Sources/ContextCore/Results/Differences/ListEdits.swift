/// The differences between two versions of a list, as deletions, insertions, shifts and updates of rows.
struct ListEdits {
    /// A row whose sort values or section changed, so that its position may have changed.
    struct Shift {
        let row: ResultsRow
        let oldRank: Int
        let newRank: Int
        let changesSection: Bool
    }

    /// The old ranks of deleted rows, in ascending order.
    private(set) var deleted: [Int] = []
    /// The new ranks of inserted rows, in ascending order.
    private(set) var inserted: [Int] = []
    /// The rows whose sort values or section changed, in their new order.
    private(set) var shifted: [Shift] = []
    /// The new ranks of rows whose objects changed but whose sort values did not, in ascending order.
    private(set) var updated: [Int] = []

    init(from old: ResultsList, to new: ResultsList) {
        let changes = TreeChanges(from: old.rows, to: new.rows)
        updated = changes.replaced.map(\.rank)
        var removed: [Int64: TreeChanges<ResultsRow>.Entry] = [:]
        for entry in changes.removed { removed[entry.element.key] = entry }
        for entry in changes.added {
            guard let before = removed.removeValue(forKey: entry.element.key) else {
                inserted.append(entry.rank)
                continue
            }
            shifted.append(
                Shift(
                    row: entry.element, oldRank: before.rank, newRank: entry.rank,
                    changesSection: before.element.section != entry.element.section))
        }
        deleted = removed.values.map(\.rank).sorted()
    }
}

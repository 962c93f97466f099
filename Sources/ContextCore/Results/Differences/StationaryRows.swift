/// Finds the rows that can stay in place while the others move, so that as few rows as possible move.
///
/// These rows are the longest common subsequence of the old and the new order. Consecutive unchanged rows between which no row was
/// removed or inserted form *blocks*, which stay or move as a whole, so the cost grows with the number of changes, not with the length of
/// the list.
struct StationaryRows {
    /// A unit that stays or moves.
    private enum Item {
        /// A row whose sort values changed, by its index among these rows.
        case shift(Int)
        /// Consecutive unchanged rows, by their indices among the unchanged rows.
        case block(Range<Int>)
    }

    /// The indices of the shifted rows that stay in place.
    private(set) var shifts: Set<Int> = []
    /// The blocks of unchanged rows that must move, by their indices among the unchanged rows.
    private(set) var movedBlocks: [Range<Int>] = []

    /// - Parameters:
    ///   - shifts: The rows with changed sort values, in the new order: the number of unchanged rows before each in the old and in the new
    ///     order, and its old rank.
    ///   - unchanged: The number of unchanged rows.
    init(_ shifts: [(before: Int, after: Int, oldRank: Int)], unchanged: Int) {
        if shifts.isEmpty { return }
        let items = Self.items(shifts, unchanged)
        var best = HeaviestPrefix(items.count)
        /// The predecessor of each item in the heaviest chain that ends with it.
        var previous: [Int?] = []
        for (index, item) in items.enumerated() {
            let chain = best.heaviest(before: item.oldPosition)
            previous.append(chain.last)
            best.record(chain.weight + Self.weight(item.item), ending: index, at: item.oldPosition)
        }
        var stationary: Set<Int> = []
        var last = best.heaviest(before: items.count).last
        while let index = last {
            stationary.insert(index)
            last = previous[index]
        }
        for (index, item) in items.enumerated() {
            switch item.item {
            case .shift(let shift): if stationary.contains(index) { self.shifts.insert(shift) }
            case .block(let range): if !stationary.contains(index) { movedBlocks.append(range) }
            }
        }
    }

    /// Returns the weight of an item: the number of rows, with a preference for unchanged rows if the number of moves is the same.
    private static func weight(_ item: Item) -> Int {
        switch item {
        case .shift: 1 << 31
        case .block(let range): range.count << 31 + range.count
        }
    }

    /// Returns blocks and rows in the new order, with their positions in the old one.
    private static func items(
        _ shifts: [(before: Int, after: Int, oldRank: Int)], _ unchanged: Int
    ) -> [(item: Item, oldPosition: Int)] {
        let cuts = Set(shifts.flatMap { [$0.before, $0.after] } + [0, unchanged]).sorted()
        let blocks = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
        // A row precedes the block that starts at the same number of unchanged rows.
        var old: [(place: Int, isBlock: Bool, rank: Int, item: Int)] = []
        var new: [(place: Int, isBlock: Bool, rank: Int, item: Item)] = []
        for (index, shift) in shifts.enumerated() {
            old.append((shift.before, false, shift.oldRank, index))
            new.append((shift.after, false, index, .shift(index)))
        }
        for (index, block) in blocks.enumerated() {
            old.append((block.lowerBound, true, 0, shifts.count + index))
            new.append((block.lowerBound, true, 0, .block(block)))
        }
        old.sort { ($0.place, $0.isBlock ? 1 : 0, $0.rank) < ($1.place, $1.isBlock ? 1 : 0, $1.rank) }
        var oldPositions = Array(repeating: 0, count: old.count)
        for (position, entry) in old.enumerated() { oldPositions[entry.item] = position }
        let positioned = new.enumerated().map { (entry: $1, oldPosition: oldPositions[$0]) }
        return positioned.sorted {
            ($0.entry.place, $0.entry.isBlock ? 1 : 0, $0.entry.rank)
                < ($1.entry.place, $1.entry.isBlock ? 1 : 0, $1.entry.rank)
        }.map { ($0.entry.item, $0.oldPosition) }
    }
}

/// A Fenwick tree that returns the heaviest chain of items that ends before a position.
private struct HeaviestPrefix {
    private var best: [(weight: Int, last: Int?)]

    init(_ count: Int) { best = Array(repeating: (0, nil), count: count + 1) }

    func heaviest(before position: Int) -> (weight: Int, last: Int?) {
        var found: (weight: Int, last: Int?) = (0, nil)
        var index = position
        while index > 0 {
            if best[index].weight > found.weight { found = best[index] }
            index &= index - 1
        }
        return found
    }

    mutating func record(_ weight: Int, ending last: Int, at position: Int) {
        var index = position + 1
        while index < best.count {
            if weight > best[index].weight { best[index] = (weight, last) }
            index += index & -index
        }
    }
}

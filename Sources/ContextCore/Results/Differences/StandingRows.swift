/// Finds out which rows need not be moved for one order to become another, so that as few as possible are.
///
/// Those are the longest run of rows that stand in the same order before and after. Most rows have nothing to do with the change, and
/// go in *blocks*, between which nothing came from or went to: a block stands or moves as one. So the work grows with what has
/// changed, not with the list.
struct StandingRows {
    /// Something that stands or moves.
    private enum Item {
        /// A row whose values are others, by its position among those.
        case shift(Int)
        /// Rows that have not changed, by their positions among those.
        case block(Range<Int>)
    }

    /// Which of the shifted rows stand.
    private(set) var shifts: Set<Int> = []
    /// Which rows that have not changed must be moved, by their positions among those.
    private(set) var movedBlocks: [Range<Int>] = []

    /// - Parameters:
    ///   - shifts: The rows whose values are others, each with how many unchanged rows stand before it in the old and in the new order,
    ///     and with its old rank; in the new order.
    ///   - unchanged: How many rows have not changed.
    init(_ shifts: [(before: Int, after: Int, oldRank: Int)], unchanged: Int) {
        if shifts.isEmpty { return }
        let items = Self.items(shifts, unchanged)
        var best = HeaviestPrefix(items.count)
        /// What comes before each item in the heaviest chain that it ends.
        var previous: [Int?] = []
        for (index, item) in items.enumerated() {
            let chain = best.heaviest(before: item.oldPosition)
            previous.append(chain.last)
            best.note(chain.weight + Self.weight(item.item), ending: index, at: item.oldPosition)
        }
        var standing: Set<Int> = []
        var last = best.heaviest(before: items.count).last
        while let index = last {
            standing.insert(index)
            last = previous[index]
        }
        for (index, item) in items.enumerated() {
            switch item.item {
            case .shift(let shift): if standing.contains(index) { self.shifts.insert(shift) }
            case .block(let range): if !standing.contains(index) { movedBlocks.append(range) }
            }
        }
    }

    /// Where it makes no difference to the number of moves, rows that have not changed stand.
    private static func weight(_ item: Item) -> Int {
        switch item {
        case .shift: 1 << 31
        case .block(let range): range.count << 31 + range.count
        }
    }

    /// Blocks and rows in the new order, with their positions in the old one.
    private static func items(
        _ shifts: [(before: Int, after: Int, oldRank: Int)], _ unchanged: Int
    ) -> [(item: Item, oldPosition: Int)] {
        let cuts = Set(shifts.flatMap { [$0.before, $0.after] } + [0, unchanged]).sorted()
        let blocks = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
        // Before a block stand the rows that so many unchanged ones precede, and no more.
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

/// Answers which chain of items that ends before a position is the heaviest (a Fenwick tree of maxima).
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

    mutating func note(_ weight: Int, ending last: Int, at position: Int) {
        var index = position + 1
        while index < best.count {
            if weight > best[index].weight { best[index] = (weight, last) }
            index += index & -index
        }
    }
}

/// A row that moves, with its positions in the old and the new list.
struct RowMove {
    let row: ResultsRow
    let from: ListLocation
    let to: ListLocation
    /// The index of its old section in the merged sections of both lists.
    let oldSection: Int
    /// The index of its new section in the merged sections of both lists.
    let newSection: Int
}

/// Computes the position of each moving row before and after its move, given that earlier rows have moved and later ones have not.
///
/// Every moving row has two *slots* between the stationary rows: its old position and its new one. Between the same two stationary rows,
/// new slots precede old ones. At any time one slot of each row is occupied, so a position is the number of stationary rows and occupied
/// slots before it in its section.
struct MoveSequence {
    private struct Slot {
        let move: Int
        let isNew: Bool
        let section: Int
        /// The number of stationary rows before the slot in its section.
        let stationaryCount: Int
        /// The row's rank in the old or the new list.
        let rank: Int
    }

    private let moves: [RowMove]
    private let slots: [Slot]
    /// The indices of each move's old slot (`oldSlots`) and new slot (`newSlots`).
    private var oldSlots: [Int]
    private var newSlots: [Int]

    /// - Parameters:
    ///   - moves: The moves, in the new order.
    ///   - deleted: The old ranks of deleted rows, in ascending order.
    ///   - inserted: The new ranks of inserted rows, in ascending order.
    init(_ moves: [RowMove], deleted: [Int], inserted: [Int]) {
        self.moves = moves
        let vacated = (deleted + moves.map(\.from.rank)).sorted()
        let occupiedRanks = (inserted + moves.map(\.to.rank)).sorted()
        slots = Self.slots(moves, vacated: vacated, occupiedRanks: occupiedRanks)
        oldSlots = Array(repeating: 0, count: moves.count)
        newSlots = oldSlots
        for (index, slot) in slots.enumerated() {
            if slot.isNew { newSlots[slot.move] = index } else { oldSlots[slot.move] = index }
        }
    }

    private static func slots(_ moves: [RowMove], vacated: [Int], occupiedRanks: [Int]) -> [Slot] {
        var slots: [Slot] = []
        for (index, move) in moves.enumerated() {
            slots.append(
                Slot(
                    move: index, isNew: false, section: move.oldSection,
                    stationaryCount: stationaryCount(before: move.from, vacated),
                    rank: move.from.rank))
            slots.append(
                Slot(
                    move: index, isNew: true, section: move.newSection,
                    stationaryCount: stationaryCount(before: move.to, occupiedRanks),
                    rank: move.to.rank))
        }
        return slots.sorted {
            ($0.section, $0.stationaryCount, $0.isNew ? 0 : 1, $0.rank)
                < ($1.section, $1.stationaryCount, $1.isNew ? 0 : 1, $1.rank)
        }
    }

    /// Returns the number of stationary rows before a position in its section: rows that aren't deleted, inserted or moved.
    private static func stationaryCount(before location: ListLocation, _ others: [Int]) -> Int {
        location.row - (others.count(below: location.rank) - others.count(below: location.sectionStart))
    }

    func steps(_ rowIdentifiers: RowIdentifiers) -> [ResultsStep] {
        var occupied = OccupiedSlots(slots.count)
        for slot in oldSlots { occupied.add(1, at: slot) }
        let starts = sectionStarts()
        return moves.indices.map { index in
            let from = position(oldSlots[index], starts, occupied)
            occupied.add(-1, at: oldSlots[index])
            let to = position(newSlots[index], starts, occupied)
            occupied.add(1, at: newSlots[index])
            return .move(rowIdentifiers.id(moves[index].row), from: from, to: to)
        }
    }

    private func position(_ slot: Int, _ starts: [Int], _ occupied: OccupiedSlots) -> ResultsPosition {
        let others = occupied.count(before: slot) - occupied.count(before: starts[slot])
        return ResultsPosition(section: slots[slot].section, row: slots[slot].stationaryCount + others)
    }

    /// Returns the first slot of each slot's section.
    private func sectionStarts() -> [Int] {
        var starts: [Int] = []
        for (index, slot) in slots.enumerated() {
            let isSameSection = index > 0 && slots[index - 1].section == slot.section
            starts.append(isSameSection ? starts[index - 1] : index)
        }
        return starts
    }
}

/// A Fenwick tree that counts the occupied slots before a slot.
private struct OccupiedSlots {
    private var sums: [Int]

    init(_ count: Int) { sums = Array(repeating: 0, count: count + 1) }

    mutating func add(_ change: Int, at slot: Int) {
        var index = slot + 1
        while index < sums.count {
            sums[index] += change
            index += index & -index
        }
    }

    func count(before slot: Int) -> Int {
        var sum = 0
        var index = slot
        while index > 0 {
            sum += sums[index]
            index &= index - 1
        }
        return sum
    }
}

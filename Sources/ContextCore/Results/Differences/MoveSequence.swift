/// A row that moves, with where it stands in the old list and in the new one.
struct RowMove {
    let row: ResultsRow
    let from: ListPlace
    let to: ListPlace
    /// The number of its old section among those of both lists.
    let oldSection: Int
    /// The number of its new section among those of both lists.
    let newSection: Int
}

/// Works out where each row is when it is moved, and where it goes, with some others moved already and some not.
///
/// Every moving row has two *slots* between the rows that stand: one where it was and one where it will be. A slot where a row will be
/// comes before those between the same two standing rows where others were. At any time one of the two is taken, so a position is
/// the number of standing rows and of taken slots before it in its section.
struct MoveSequence {
    private struct Slot {
        let move: Int
        let isNew: Bool
        let section: Int
        /// How many rows of the section stand before it.
        let standing: Int
        /// How many rows precede it in the list that it is of.
        let rank: Int
    }

    private let moves: [RowMove]
    private let slots: [Slot]
    /// Where the slots of each move are.
    private var oldSlots: [Int]
    private var newSlots: [Int]

    /// - Parameters:
    ///   - moves: The moves in the new order.
    ///   - deleted: The old ranks of rows that go, in order.
    ///   - inserted: The new ranks of rows that come, in order.
    init(_ moves: [RowMove], deleted: [Int], inserted: [Int]) {
        self.moves = moves
        let left = (deleted + moves.map(\.from.rank)).sorted()
        let entered = (inserted + moves.map(\.to.rank)).sorted()
        slots = Self.slots(moves, left: left, entered: entered)
        oldSlots = Array(repeating: 0, count: moves.count)
        newSlots = oldSlots
        for (index, slot) in slots.enumerated() {
            if slot.isNew { newSlots[slot.move] = index } else { oldSlots[slot.move] = index }
        }
    }

    private static func slots(_ moves: [RowMove], left: [Int], entered: [Int]) -> [Slot] {
        var slots: [Slot] = []
        for (index, move) in moves.enumerated() {
            slots.append(
                Slot(
                    move: index, isNew: false, section: move.oldSection,
                    standing: standing(before: move.from, left),
                    rank: move.from.rank))
            slots.append(
                Slot(
                    move: index, isNew: true, section: move.newSection,
                    standing: standing(before: move.to, entered),
                    rank: move.to.rank))
        }
        return slots.sorted {
            ($0.section, $0.standing, $0.isNew ? 0 : 1, $0.rank)
                < ($1.section, $1.standing, $1.isNew ? 0 : 1, $1.rank)
        }
    }

    /// How many rows stand before a place in its section, which is to say, all but those that go, come or move.
    private static func standing(before place: ListPlace, _ others: [Int]) -> Int {
        place.row - (others.count(below: place.rank) - others.count(below: place.sectionStart))
    }

    func steps(_ naming: RowNaming) -> [ResultsStep] {
        var taken = TakenSlots(slots.count)
        for slot in oldSlots { taken.add(1, at: slot) }
        let starts = sectionStarts()
        return moves.indices.map { index in
            let from = position(oldSlots[index], starts, taken)
            taken.add(-1, at: oldSlots[index])
            let to = position(newSlots[index], starts, taken)
            taken.add(1, at: newSlots[index])
            return .move(naming.id(moves[index].row), from: from, to: to)
        }
    }

    private func position(_ slot: Int, _ starts: [Int], _ taken: TakenSlots) -> ResultsPosition {
        let others = taken.count(before: slot) - taken.count(before: starts[slot])
        return ResultsPosition(section: slots[slot].section, row: slots[slot].standing + others)
    }

    /// The first slot of each slot's section.
    private func sectionStarts() -> [Int] {
        var starts: [Int] = []
        for (index, slot) in slots.enumerated() {
            let goesOn = index > 0 && slots[index - 1].section == slot.section
            starts.append(goesOn ? starts[index - 1] : index)
        }
        return starts
    }
}

/// Counts the slots that are taken (a Fenwick tree of sums).
private struct TakenSlots {
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
